// An agent's loop of Vercel's AI SDK over OpenAI's Responses, without state at the vendor.
import { openai } from "@ai-sdk/openai";
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { DESCRIPTION, MODEL, PARAMETERS, SYSTEM, questions, readFile } from "./project.mjs";

const execute = async ({ path }) => readFile(path);
const tools = { read_file: tool({ description: DESCRIPTION, inputSchema: jsonSchema(PARAMETERS), execute }) };
const providerOptions = { openai: { store: false } };
const model = openai.responses(MODEL);
const messages = [];
for (const content of questions()) {
  messages.push({ role: "user", content });
  const result = await generateText({ model, system: SYSTEM, messages, tools, providerOptions, stopWhen: stepCountIs(5) });
  messages.push(...result.responseMessages);
  console.log(result.text);
}
