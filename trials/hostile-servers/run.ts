import path from 'node:path';
import { createVitest } from 'vitest/node';

/**
 * `node --conditions=svc-source trials/hostile-servers/run.ts [answers] [engine ...]`: reads that many malformed answers
 * of a hostile server of each engine; at least 2,000, which the tests read; default 10,000. Engines are folders of
 * `packages/connectors/src`; default all with such a server.
 */
const [answers = '10000', ...engines] = process.argv.slice(2);
const root = path.join(import.meta.dirname, '../..');
const suffix = 'hostile-server.torture.test.ts';
const vitest = await createVitest('test', { root, watch: false, project: ['torture'] });
vitest.provide('hostileAnswers', Number(answers));
await vitest.start(engines.length > 0 ? engines.map((engine) => `${engine}/${suffix}`) : [suffix]);
await vitest.close();
