import { make } from '@svc/testkit/client/make.ts';
import { startService } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const dayMs = 86_400_000;
/** Time limit of the scenario. A process checks for expiring keys 30 s after its start. */
const timeout = 110_000;

scenario(
  ['RT-4.3-1235'],
  'the owner of an API key that expires in two days gets a notice from a process that has just started',
  async ({ svc, root, onEnd }) => {
    const expiresAt = new Date(Date.now() + 2 * dayMs).toISOString();
    const { id } = await make(root, '/svc/api/projects', { name: 'Exports' });
    const key = { name: 'Nightly export', scopes: ['Read'], allowedProjectIds: [id], expiresAt };
    const made = await root.post('/svc/api/api-keys', key);
    expect(made.status, made.text).toBe(201);
    const replica = await startService({ on: svc });
    onEnd(replica.close);
    const notices = async () => (await root.get('/svc/api/notices')).body.items;
    await expect
      .poll(notices, { timeout, interval: 500 })
      .toContainEqual(
        expect.objectContaining({ kind: 'KeyExpires', text: expect.stringContaining('Nightly export') }),
      );
  },
);
