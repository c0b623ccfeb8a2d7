import { startValueService } from '@svc/testkit/values/compare.ts';
import { valueEngines } from '@svc/testkit/values/sources.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

/** All boundary values, and some random values. */
const options = { rowCount: 42, seed: 1 };

scenario(
  ['RT-4.3-1315'],
  'each value of each type has its documented form in every kind of output',
  async ({ onEnd }) => {
    const service = await startValueService();
    onEnd(service.close);
    for (const engine of valueEngines) {
      const { compared, differences } = await service.compare(engine, options);
      expect(differences, engine).toEqual([]);
      expect(compared, engine).toBeGreaterThan(1_000);
    }
  },
  { timeout: 900_000 },
);
