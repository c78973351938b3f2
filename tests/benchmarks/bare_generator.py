"""datamodel-code-generator as it comes, one schema at a time: bare_generator.py TOOLS."""

import json
import sys
import warnings
from pathlib import Path

from datamodel_code_generator import generate
from datamodel_code_generator.enums import DataModelType, InputFileType


def main() -> None:
    """Generate, and format, the models of each tool's schemas; says how many could not be."""
    warnings.simplefilter("ignore")
    tools = json.loads(Path(sys.argv[1]).read_bytes())["tools"]
    failed = 0
    for schema in (tool[key] for tool in tools for key in SCHEMAS if tool.get(key)):
        try:
            generate(
                json.dumps(schema),
                input_file_type=InputFileType.JsonSchema,
                output_model_type=DataModelType.PydanticV2BaseModel,
            )
        except Exception:
            failed += 1
    print(f"{failed} of {len(tools)} tools have a schema it cannot generate")


SCHEMAS = ("inputSchema", "outputSchema")

if __name__ == "__main__":
    main()
