# Buys with the strict function tools of openai-agents, and prints what it saw as JSON. A model is not called.
import asyncio
import json

from agents import Agent, RunContextWrapper
from agents.mcp import MCPServerStreamableHttp, MCPUtil
from agents.tool_context import ToolContext
from shared import BUYER, ORDER, READER, URL, buy, headers_of


def connect(token: str) -> MCPServerStreamableHttp:
    return MCPServerStreamableHttp(params={"url": URL, "headers": headers_of(token)}, name="bestow")


async def strict_tools(server: MCPServerStreamableHttp):
    agent, context = Agent(name="buyer", mcp_servers=[server]), RunContextWrapper(context=None)
    return await MCPUtil.get_function_tools(server, True, context, agent)


def is_strict(schema: dict) -> bool:
    """Whether every object in it is closed and requires all of its properties."""
    properties = schema.get("properties", {})
    is_closed = schema.get("additionalProperties") is False and set(schema["required"]) == set(properties)
    parts = [*properties.values(), *([schema["items"]] if "items" in schema else [])]
    return ("object" not in schema["type"] or is_closed) and all(is_strict(part) for part in parts)


def with_nulls(schema: dict, given):
    """Writes arguments as a strict model does: each field is there, and null if it has no value."""
    if isinstance(given, list):
        return [with_nulls(schema["items"], one) for one in given]
    if not isinstance(given, dict):
        return given
    return {name: with_nulls(part, given.get(name)) for name, part in schema["properties"].items()}


async def as_buyer() -> dict:
    async with connect(BUYER) as server:
        tools = {tool.name: tool for tool in await strict_tools(server)}

        async def call(name: str, given: dict) -> dict:
            tool = tools[name]
            text = json.dumps(with_nulls(tool.params_json_schema, given))
            context = ToolContext(context=None, tool_name=name, tool_call_id="call_1", tool_arguments=text)
            output = await tool.on_invoke_tool(context, text)
            answer = json.loads(output["text"])
            assert "error" not in answer, answer
            return answer

        strict = [tool.name for tool in tools.values() if tool.strict_json_schema and is_strict(tool.params_json_schema)]
        _, order = await buy(call)
        return {"tools": sorted(tools), "strict": sorted(strict), "order": order}


async def as_reader() -> dict:
    async with connect(READER) as server:
        names = sorted(tool.name for tool in await strict_tools(server))
        answer = await server.call_tool("preview_order", ORDER)
        return {"tools": names, "refused": json.loads(answer.content[0].text)["error"]["code"]}


async def main() -> None:
    print(json.dumps({**await as_buyer(), "reader": await as_reader()}))


asyncio.run(main())
