"""This host beside the official SDKs' servers: same tools, same work, same requests."""
