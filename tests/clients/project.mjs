// What the scripts of the clients share: the files of a project that is not there, and what is asked about it.

export const SYSTEM = "You maintain an order service. Amounts are integers in cents. Never touch migrations.";
export const MODEL = "local-model";
export const DESCRIPTION = "Return a file of the project.";
export const PARAMETERS = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };

export function* questions() {
  for (let number = 0; number < Number(process.env.QUESTIONS); number += 1)
    yield `Question ${number}: what does src/module_${number}.py do?`;
}

export function readFile(path) {
  const line = (_, number) => `${path} line ${number}: value=${(number * 37) % 101}`;
  return Array.from({ length: 40 }, line).join("\n");
}
