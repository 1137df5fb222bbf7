// A session of Claude's Agent SDK with one tool, which runs in this process.
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import { DESCRIPTION, MODEL, SYSTEM, questions, readFile } from "./project.mjs";

const run = async ({ path }) => ({ content: [{ type: "text", text: readFile(path) }] });
const tools = [tool("read_file", DESCRIPTION, { path: z.string() }, run)];
const fixed = { model: MODEL, systemPrompt: SYSTEM, tools: [], allowedTools: ["mcp__files__read_file"], settingSources: [] };
let resume;
for (const prompt of questions()) {
  const files = createSdkMcpServer({ name: "files", version: "1.0.0", tools });
  for await (const message of query({ prompt, options: { ...fixed, mcpServers: { files }, resume } })) {
    resume = message.session_id ?? resume;
    if (message.type === "result") console.log(message.result);
  }
}
