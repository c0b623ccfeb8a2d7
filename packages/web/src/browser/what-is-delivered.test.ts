import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('message and delivery settings', () => {
  const fixture = useBrowserFixture();

  test(
    'the masked message of a subscription can be previewed without sending it',
    async () => {
      const { main, page, visitor } = fixture;
      await page.goto('/svc/subscriptions/1');
      await main.getByRole('tab', { name: 'Message' }).click();
      await main.getByText('Nothing is sent.').waitFor();
      await main.getByRole('button', { name: 'Run the query and preview' }).click();
      const message = main.getByRole('region', { name: /^Message to/ }).first();
      await message.waitFor();
      const text = (await message.textContent()) ?? '';
      expect(text).toMatch(/Delayed orders/);
      expect(text).not.toMatch(/\w{2,}@/);
      await message.getByRole('button', { name: 'Copy the message' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'message-preview');
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'a webhook gets a signing secret that is shown once, renewed and dropped, and its own number of retries',
    async () => {
      const { main, page, visitor } = fixture;
      await page.goto('/svc/recipients');
      await main.getByRole('button', { name: 'Actions for Demo inbox' }).click();
      await page.getByRole('menuitem', { name: 'Signing and retries' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delivery to Demo inbox' });
      const signature = dialog.getByRole('region', { name: 'Signature' });
      await signature.getByText('Messages are not signed.').waitFor();
      await signature.getByRole('button', { name: 'Sign messages' }).click();
      await signature.getByText(/^whsec_/).waitFor();
      await signature.getByText('Messages are signed with one secret.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await signature.getByRole('button', { name: 'New secret' }).click();
      await signature.getByText('Messages carry two signatures').waitFor();
      await signature.getByRole('button', { name: 'Drop the earlier secret' }).click();
      await signature.getByText('Messages are signed with one secret.').waitFor();
      await signature.getByRole('button', { name: 'Turn off' }).click();
      await signature.getByText('Messages are not signed.').waitFor();
      const repetitions = dialog.getByRole('region', { name: 'Retries' });
      await repetitions.getByLabel('Maximum retries').fill('3');
      await repetitions.getByLabel('Seconds before the first retry').fill('30');
      await repetitions.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Retries saved.').waitFor();
      await picture(page, 'delivery-settings');
      await page.reload();
      await main.getByRole('button', { name: 'Actions for Demo inbox' }).click();
      await page.getByRole('menuitem', { name: 'Signing and retries' }).click();
      await expect.poll(() => repetitions.getByLabel('Maximum retries').inputValue()).toBe('3');
      expect(await dialog.textContent()).not.toContain('whsec_');
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'a body template can be previewed with a sample while it is written',
    async () => {
      const { main, page } = fixture;
      await page.goto('/svc/recipients');
      await main.getByRole('button', { name: 'New recipient' }).click();
      const dialog = page.getByRole('dialog', { name: 'New recipient' });
      await dialog.getByRole('combobox', { name: 'Channel' }).click();
      await page.getByRole('option', { name: 'Webhook' }).click();
      await dialog.getByLabel(/^Body template/).fill('{"text": "{{QueryName}}", "other": "{{Nonsense}}"}');
      await dialog.getByRole('button', { name: 'Preview with a sample' }).click();
      const sample = dialog.getByRole('region', { name: 'What would be sent for a sample result' });
      await sample.waitFor();
      await sample
        .getByText(/Nonsense/)
        .first()
        .waitFor();
      expect(await axeFindings(page)).toEqual([]);
    },
    flowMaxMs,
  );
});
