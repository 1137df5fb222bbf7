// Anthropic's tool runner: it asks for a thread at the vendor, and falls back to the whole history.
import Anthropic from "@anthropic-ai/sdk";
import { DESCRIPTION, MODEL, PARAMETERS, SYSTEM, questions, readFile } from "./project.mjs";

const client = new Anthropic();
const run = async ({ path }) => readFile(path);
const parse = (input) => input;
const tools = [{ name: "read_file", description: DESCRIPTION, input_schema: PARAMETERS, run, parse }];
let messages = [];
for (const content of questions()) {
  messages.push({ role: "user", content });
  const runner = client.beta.messages.toolRunner({ model: MODEL, max_tokens: 500, system: SYSTEM, messages, tools });
  const last = await runner.runUntilDone();
  messages = [...runner.params.messages];
  if (messages.at(-1).role !== "assistant") messages.push({ role: "assistant", content: last.content });
  console.log(last.content.at(-1).text);
}
