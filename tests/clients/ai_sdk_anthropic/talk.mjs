// An agent's loop of Vercel's AI SDK over Anthropic's Messages, streaming.
import { anthropic } from "@ai-sdk/anthropic";
import { jsonSchema, stepCountIs, streamText, tool } from "ai";
import { DESCRIPTION, MODEL, PARAMETERS, SYSTEM, questions, readFile } from "./project.mjs";

const execute = async ({ path }) => readFile(path);
const tools = { read_file: tool({ description: DESCRIPTION, inputSchema: jsonSchema(PARAMETERS), execute }) };
const messages = [];
for (const content of questions()) {
  messages.push({ role: "user", content });
  const result = streamText({ model: anthropic(MODEL), system: SYSTEM, messages, tools, stopWhen: stepCountIs(5) });
  const text = await result.text;
  messages.push(...(await result.responseMessages));
  console.log(text);
}
