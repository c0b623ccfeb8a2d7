import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type ServiceConfig, serveSvc } from '../../bench/run/serve-svc.ts';
import { runSubject } from '../../bench/run/subject-process.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** Several rounds, because some memory is only freed after a turn of the event loop. */
const rounds = 4;

/** A service that reports its used heap after full garbage collections. */
runSubject(async (config: ServiceConfig) => ({
  ...(await serveSvc(config)),
  act: async () => {
    for (let round = 0; round < rounds; round += 1) {
      collectGarbage();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
    return { heapUsed, external, arrayBuffers, rss };
  },
}));
