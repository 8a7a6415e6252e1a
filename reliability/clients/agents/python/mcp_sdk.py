# Buys and reads with the client of the package mcp, in both of its modes, and prints what it saw as JSON.
import asyncio
import json

import httpx2
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from shared import BUYER, ORDER, READER, URL, buy, headers_of, read


async def use(token: str, mode: str, act):
    async with httpx2.AsyncClient(headers=headers_of(token), timeout=60) as http:
        async with Client(streamable_http_client(URL, http_client=http), mode=mode) as client:
            return await act(client, (await client.list_tools()).tools)


async def as_buyer(client: Client, tools) -> dict:
    validators = {tool.name: Draft202012Validator(tool.output_schema) for tool in tools}

    async def call(name: str, given: dict) -> dict:
        answer = await client.call_tool(name, given)
        assert not answer.is_error, (name, answer.content)
        validators[name].validate(answer.structured_content)
        return answer.structured_content

    placed, order = await buy(call)
    reading = [tool.name for tool in tools if tool.annotations.read_only_hint]
    seen = {"tools": sorted(validators), "order": order, "read": await read(call, reading, placed)}
    return {"revision": client.protocol_version, **seen}


async def as_reader(client: Client, tools) -> dict:
    answer = await client.call_tool("preview_order", ORDER)
    assert answer.is_error
    code = json.loads(answer.content[0].text)["error"]["code"]
    return {"tools": sorted(tool.name for tool in tools), "refused": code}


async def main() -> None:
    bought = [await use(BUYER, mode, as_buyer) for mode in ("auto", "legacy")]
    tools, also = [one.pop("tools") for one in bought]
    assert tools == also
    print(json.dumps({"tools": tools, "bought": bought, "reader": await use(READER, "auto", as_reader)}))


asyncio.run(main())
