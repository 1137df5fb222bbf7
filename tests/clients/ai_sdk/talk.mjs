// An agent's loop of Vercel's AI SDK with a provider that is compatible with OpenAI's.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { DESCRIPTION, MODEL, PARAMETERS, SYSTEM, questions, readFile } from "./project.mjs";

const provider = createOpenAICompatible({ name: "local", baseURL: process.env.LLM_BASE_URL, apiKey: "k" });
const execute = async ({ path }) => readFile(path);
const tools = { read_file: tool({ description: DESCRIPTION, inputSchema: jsonSchema(PARAMETERS), execute }) };
const messages = [];
for (const content of questions()) {
  messages.push({ role: "user", content });
  const result = await generateText({ model: provider(MODEL), system: SYSTEM, messages, tools, stopWhen: stepCountIs(5) });
  messages.push(...result.responseMessages);
  console.log(result.text);
}
