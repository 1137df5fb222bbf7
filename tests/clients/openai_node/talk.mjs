// An agent's loop with OpenAI's Node SDK, streaming; the SDK puts the chunks together and runs the tool.
import OpenAI from "openai";
import { DESCRIPTION, MODEL, PARAMETERS, SYSTEM, questions, readFile } from "./project.mjs";

const client = new OpenAI();
const run = ({ path }) => readFile(path);
const readFileTool = { name: "read_file", description: DESCRIPTION, parameters: PARAMETERS, parse: JSON.parse, function: run };
const tools = [{ type: "function", function: readFileTool }];
let messages = [{ role: "system", content: SYSTEM }];
for (const content of questions()) {
  messages.push({ role: "user", content });
  const runner = client.chat.completions.runTools({ model: MODEL, messages, tools, stream: true });
  console.log(await runner.finalContent());
  messages = [...runner.messages];
}
