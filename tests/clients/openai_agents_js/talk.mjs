// An agent of OpenAI's Agents SDK, given its own items back for each question.
import { Agent, run, setTracingDisabled, tool } from "@openai/agents";
import { z } from "zod";
import { DESCRIPTION, MODEL, SYSTEM, questions, readFile } from "./project.mjs";

setTracingDisabled(true);
const parameters = z.object({ path: z.string() });
const execute = ({ path }) => readFile(path);
const tools = [tool({ name: "read_file", description: DESCRIPTION, parameters, execute })];
const agent = new Agent({ name: "assistant", instructions: SYSTEM, model: MODEL, tools });
let items = [];
for (const content of questions()) {
  const result = await run(agent, [...items, { role: "user", content }]);
  items = result.history;
  console.log(result.finalOutput);
}
