import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('an unavailable service', () => {
  const fixture = useBrowserFixture({ service: { withDemo: false } });

  test(
    'causes one line on an open page, which disappears when the service responds again, and the page refetches its data',
    async () => {
      const { main, page, service } = fixture;
      await fixture.open('/projects', 'Projects');
      await main.getByText('No project yet').waitFor();
      await service.kill();
      const line = page.getByText('The service is not responding. Trying again…');
      await line.waitFor();
      // Loaded data remains on the page.
      await main.getByText('No project yet').waitFor();
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `away-${width}-${theme}`);
        }
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      expect(await axeFindings(page)).toEqual([]);
      const isReadAnew = page.waitForResponse((answer) => answer.url().includes('/svc/api/projects'));
      await service.startAgain();
      await line.waitFor({ state: 'detached' });
      await isReadAnew;
    },
    flowMaxMs,
  );
});
