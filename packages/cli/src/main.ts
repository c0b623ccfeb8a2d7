#!/usr/bin/env node
import { processContext, runCli } from './index.ts';

/** The program `svc` for callers of a service. */
process.exitCode = await runCli(process.argv.slice(2), processContext(process));
