export { SvcProblem } from '@svc/client';
export type { CliContext, DefinitionsClient } from './context.ts';
export { readFolder } from './definitions/read-folder.ts';
export { readSecrets } from './definitions/secrets.ts';
export { processContext } from './process-context.ts';
export { callerCommands, runCli } from './program.ts';
