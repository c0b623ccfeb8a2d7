export type { CliContext } from './context.ts';
export { processContext } from './process-context.ts';
export { callerCommands, runCli } from './program.ts';
