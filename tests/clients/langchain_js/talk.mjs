// An agent of LangChain.js', given its own messages back for each question.
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, tool } from "langchain";
import { DESCRIPTION, MODEL, PARAMETERS, SYSTEM, questions, readFile } from "./project.mjs";

const readFileTool = tool(({ path }) => readFile(path), { name: "read_file", description: DESCRIPTION, schema: PARAMETERS });
const agent = createAgent({ model: new ChatOpenAI({ model: MODEL }), tools: [readFileTool], systemPrompt: SYSTEM });
let messages = [];
for (const content of questions()) {
  ({ messages } = await agent.invoke({ messages: [...messages, { role: "user", content }] }));
  console.log(messages.at(-1).content);
}
