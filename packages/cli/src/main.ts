#!/usr/bin/env node
import { processContext, runCli } from './index.ts';

/** The program `svc` of whoever calls a service. */
process.exitCode = await runCli(process.argv.slice(2), processContext(process));
