"""What one call sends beside its answer, held back until the call is kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import orjson

from evalsim.api.links import Address, Links
from evalsim.api.webhook_gates import WebhookGates
from evalsim.api.webhooks import Webhook
from evalsim.contract.plain import to_json
from evalsim.errors import EvalsimError, did_you_mean


@dataclass(frozen=True, slots=True)
class Outbox:
    """The webhooks of one call; a call that ends in a fault has sent none."""

    fake: str
    gates: WebhookGates
    links: Links
    address: Address
    webhooks: list[Webhook] = field(default_factory=list[Webhook])

    def send_webhook(
        self,
        url: str,
        body: object,
        *,
        name: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """POST `body` to `url`, once the call is answered and after all that was sent before.

        Text and bytes are sent as they are, anything else as JSON. `name` is that of a webhook in
        the description, which the body is then held to: one that is not as described, or a name
        that is not there, is raised as the handler's error.
        """
        fields = {key.lower(): value for key, value in (headers or {}).items()}
        if isinstance(body, str | bytes):
            data = body.encode() if isinstance(body, str) else body
            media_type = fields.pop("content-type", "text/plain; charset=utf-8")
        else:
            data, media_type = to_json(body), fields.pop("content-type", "application/json")
            if name is not None:
                self._check(name, data)
            data = self.links.out(data, self.address)
        label = name if name is not None else url
        self.webhooks.append(Webhook(self.fake, label, url, data, media_type, fields))

    def _check(self, name: str, data: bytes) -> None:
        if name not in self.gates.names:
            hint = did_you_mean(name, self.gates.names)
            known = ", ".join(self.gates.names[:10]) or "none"
            raise EvalsimError(f"No webhook {name!r} is described{hint}; these are: {known}.")
        gate = self.gates.gate(name)
        refusal = gate.refusal(orjson.loads(data)) if gate is not None else None
        if refusal is not None:
            raise EvalsimError(f"The webhook {name!r} is not as it is described: {refusal}.")
