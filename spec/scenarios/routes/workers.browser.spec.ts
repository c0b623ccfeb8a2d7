import { setUp } from '@svc/testkit/people/people.ts';
import { inBrowser, lookAt, withPages } from '../support/pages.ts';
import { scenario } from '../support/scenario.ts';

const said = 'No process runs jobs at the moment';

scenario(
  ['RT-4.1-356'],
  'home and the control tower say that no process runs jobs, and only then',
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
          const alert = page.getByRole('alert').filter({ hasText: said });
          if (workers === 0) await alert.waitFor();
          else if ((await alert.count()) > 0) throw new Error(`${path} says it although jobs are run.`);
        }
      });
    }
  },
  inBrowser,
);
