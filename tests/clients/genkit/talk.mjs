// A conversation of Genkit's, given its own messages back for each question.
import { openAI } from "@genkit-ai/compat-oai/openai";
import { genkit, z } from "genkit";
import { DESCRIPTION, SYSTEM, questions, readFile } from "./project.mjs";

const ai = genkit({ plugins: [openAI()] });
const inputSchema = z.object({ path: z.string() });
const run = async ({ path }) => readFile(path);
const tools = [ai.defineTool({ name: "read_file", description: DESCRIPTION, inputSchema, outputSchema: z.string() }, run)];
// One of the models it knows; the upstream's window is smaller.
const model = openAI.model("gpt-4o-mini");
let messages = [{ role: "system", content: [{ text: SYSTEM }] }];
for (const prompt of questions()) {
  const response = await ai.generate({ model, messages, prompt, tools });
  messages = response.messages;
  console.log(response.text);
}
