import { setUp } from '@svc/testkit/people/people.ts';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

const noJobs = /No process runs jobs (or fires schedules )?at the moment/;
const nothingAtAll = 'No process runs jobs or fires schedules at the moment, so nothing comes due or starts.';

scenario(
  ['RT-4.1-356', 'RT-4.1-881'],
  'Home and the control tower show a warning if no process runs jobs or fires schedules, and only then',
  async ({ start }) => {
    for (const workers of [0, 1]) {
      const svc = await start({ 'Svc:Jobs:Workers': workers }, withPages());
      await lookAt(svc.origin, await setUp(svc), async (page) => {
        for (const [path, loaded] of [
          ['/svc/home', page.getByRole('link', { name: /^0 Projects$/ })],
          ['/svc/control-tower', page.getByText('0 watched')],
        ] as const) {
          await page.goto(path);
          await loaded.waitFor();
          const alert = page.getByRole('alert').filter({ hasText: workers === 0 ? nothingAtAll : noJobs });
          if (workers === 0) await alert.waitFor();
          else if ((await alert.count()) > 0) throw new Error(`${path} says it although jobs are run.`);
        }
      });
    }
  },
  inBrowser,
);

scenario(
  ['RT-4.1-880', 'RT-4.1-881'],
  'Home and the control tower name queues without a worker, and show that no process fires schedules',
  async ({ start }) => {
    const svc = await start(
      { 'Svc:Host:Roles': ['Web', 'Worker'], 'Svc:Jobs:Queues': ['runs'] },
      withPages(),
    );
    const root = await setUp(svc);
    await lookAt(svc.origin, root, async (page) => {
      const unfired = 'No process fires schedules at the moment';
      const unserved = 'No process takes jobs of deliveries, contracts, schemas, migrations, ai, maintenance';
      const paths = ['/svc/home', '/svc/control-tower'];
      for (const path of paths) {
        await page.goto(path);
        const alert = page.getByRole('alert').filter({ hasText: unfired });
        await alert.waitFor();
        await alert.getByText(unserved).waitFor();
      }
      await svc.replica({ 'Svc:Host:Roles': ['Scheduler'] });
      await expect
        .poll(async () => (await root.get('/svc/api/control-tower/statistics')).body.hasLiveScheduler)
        .toBe(true);
      for (const path of paths) {
        await page.goto(path);
        await page.getByRole('alert').getByText(unserved).waitFor();
        expect([path, await page.getByText(unfired).count()]).toEqual([path, 0]);
      }
    });
  },
  inBrowser,
);

scenario(
  ['RT-4.1-1072'],
  'Home and the control tower name paused queues until they are resumed, regardless of workers',
  async ({ start }) => {
    const said = 'Paused: runs, deliveries. What is in these queues waits until an Admin resumes them';
    for (const workers of [1, 0]) {
      const svc = await start(
        { 'Svc:Jobs:Workers': workers },
        { ...withPages(), dashboard: { prefix: '/warp' } },
      );
      const root = await setUp(svc);
      const turn = async (act: 'pause' | 'resume') => {
        for (const queue of ['runs', 'deliveries'])
          expect((await root.post(`/warp/api/queues/${queue}/${act}`, {})).status).toBe(200);
      };
      await lookAt(svc.origin, root, async (page) => {
        const alert = page.getByRole('alert').filter({ hasText: 'Paused' });
        await turn('pause');
        for (const path of ['/svc/home', '/svc/control-tower']) {
          await page.goto(path);
          await alert.getByText(said).waitFor();
        }
        await turn('resume');
        for (const [path, loaded] of [
          ['/svc/home', page.getByRole('link', { name: /^0 Projects$/ })],
          ['/svc/control-tower', page.getByText('0 watched')],
        ] as const) {
          await page.goto(path);
          await loaded.waitFor();
          expect(await alert.count()).toBe(0);
        }
      });
    }
  },
  inBrowser,
);
