// An agent of Mastra's, given its own messages back for each question.
import { createOpenAI } from "@ai-sdk/openai";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";
import { DESCRIPTION, MODEL, SYSTEM, questions, readFile } from "./project.mjs";

const inputSchema = z.object({ path: z.string() });
const execute = async ({ path }) => readFile(path);
const tools = { read_file: createTool({ id: "read_file", description: DESCRIPTION, inputSchema, execute }) };
const model = createOpenAI().chat(MODEL);
const agent = new Agent({ id: "assistant", name: "assistant", instructions: SYSTEM, model, tools });
const messages = [];
for (const content of questions()) {
  messages.push({ role: "user", content });
  const result = await agent.generate(messages);
  messages.push(...result.response.messages);
  console.log(result.text);
}
