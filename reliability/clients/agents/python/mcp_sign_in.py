# Signs in by metadata alone with the client of the package mcp, reads, lets its token end and refreshes; prints what it saw.
import asyncio
import json
import os
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.auth.oauth2 import AuthorizationCodeResult
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

URL = os.environ["BESTOW_URL"] + "/mcp"
# Plays the person and their browser: agrees, and answers with the address where the browser ends.
PERSON = os.environ["BESTOW_PERSON"]
REDIRECT = "http://127.0.0.1:3030/callback"


class Storage:
    tokens = client = None
    given = 0

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens
        self.given += 1

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def main() -> None:
    ended: list[str] = []
    storage = Storage()

    async def open_browser(address: str) -> None:
        async with httpx2.AsyncClient(timeout=60) as http:
            ended.append((await http.post(PERSON, content=address)).text)

    async def wait_for_answer() -> AuthorizationCodeResult:
        answer = {name: values[0] for name, values in parse_qs(urlsplit(ended[-1]).query).items()}
        return AuthorizationCodeResult(code=answer["code"], state=answer["state"], iss=answer.get("iss"))

    metadata = OAuthClientMetadata(client_name="mcp", redirect_uris=[REDIRECT])
    auth = OAuthClientProvider(URL, metadata, storage, open_browser, wait_for_answer)
    async with httpx2.AsyncClient(auth=auth, timeout=60) as http:
        async with Client(streamable_http_client(URL, http_client=http)) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            first = await client.call_tool("get_balance", {})
            storage.tokens.access_token = "bestow-agent-sandbox-ended"
            auth.context.current_tokens.expires_in = 0
            auth.context.token_expiry_time = 1
            second = await client.call_tool("get_balance", {})
    seen = [json.loads(answer.content[0].text)["available"] for answer in (first, second)]
    print(json.dumps({"tools": sorted(tools), "signed_in": len(ended), "tokens": storage.given, "balances": seen}))


asyncio.run(main())
