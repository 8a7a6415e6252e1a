# Turns the tools into function declarations of google-genai, and prints them in short as JSON. A model is not called.
import asyncio
import json

import httpx2
from google.genai import types

# What `generate_content` does with the tools of a session, in its two ways.
from google.genai._mcp_utils import mcp_to_gemini_tools
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from shared import BUYER, ORDER, READER, URL, headers_of


async def use(token: str, act):
    async with httpx2.AsyncClient(headers=headers_of(token)) as http:
        async with Client(streamable_http_client(URL, http_client=http)) as client:
            return await act(client, (await client.list_tools()).tools)


def declare(tools, is_json_schema: bool) -> dict[str, dict]:
    declared = mcp_to_gemini_tools(tools, is_json_schema)
    config = types.GenerateContentConfig(tools=declared)
    declarations = [one for tool in config.tools for one in tool.function_declarations]
    parameters = "parameters_json_schema" if is_json_schema else "parameters"
    return {one.name: one.model_dump(exclude_none=True, mode="json")[parameters] for one in declarations}


async def as_buyer(_client, tools) -> dict:
    declared, as_json = declare(tools, False), declare(tools, True)
    delivery = declared["preview_order"]["properties"]["gifts"]["items"]["properties"]["delivery"]
    fields = {name: part.get("nullable", False) for name, part in delivery["properties"].items()}
    kept = [tool.name for tool in tools if set(declared[tool.name].get("properties", {})) == set(tool.input_schema["properties"])]
    methods = delivery["properties"]["method"]["enum"]
    same = [tool.name for tool in tools if as_json[tool.name] == tool.input_schema]
    return {"tools": sorted(declared), "kept": sorted(kept), "same": sorted(same), "methods": methods, "nullable": fields}


async def as_reader(client: Client, tools) -> dict:
    answer = await client.call_tool("preview_order", ORDER)
    return {"tools": sorted(declare(tools, False)), "refused": json.loads(answer.content[0].text)["error"]["code"]}


async def main() -> None:
    print(json.dumps({**await use(BUYER, as_buyer), "reader": await use(READER, as_reader)}))


asyncio.run(main())
