# Buys and reads with the client of fastmcp, and prints what it saw as JSON.
import asyncio
import json

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from jsonschema import Draft202012Validator
from shared import BUYER, ORDER, READER, URL, buy, headers_of, read


def connect(token: str) -> Client:
    return Client(StreamableHttpTransport(URL, headers=headers_of(token)))


async def as_buyer() -> dict:
    async with connect(BUYER) as client:
        tools = await client.list_tools()
        validators = {tool.name: Draft202012Validator(tool.output_schema) for tool in tools}

        async def call(name: str, given: dict) -> dict:
            answer = (await client.call_tool(name, given)).structured_content
            validators[name].validate(answer)
            return answer

        placed, order = await buy(call)
        reading = [tool.name for tool in tools if tool.annotations.read_only_hint]
        return {"tools": sorted(validators), "order": order, "read": await read(call, reading, placed)}


async def as_reader() -> dict:
    async with connect(READER) as client:
        names = sorted(tool.name for tool in await client.list_tools())
        answer = await client.call_tool("preview_order", ORDER, raise_on_error=False)
        assert answer.is_error
        return {"tools": names, "refused": json.loads(answer.content[0].text)["error"]["code"]}


async def main() -> None:
    print(json.dumps({**await as_buyer(), "reader": await as_reader()}))


asyncio.run(main())
