import { axeFindings, picture } from '@svc/testkit/browser/browser.ts';
import { startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { addUser, type Person, signIn } from '@svc/testkit/people/people.ts';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

const key = 'sk-planted-key-0123456789abcdef';
const model = 'good:{"word":"ready"}';

scenario(
  ['RT-4.1-33', 'RT-4.1-340', 'RT-4.1-341'],
  'an Admin connects a language model on the page, a SecurityAdmin tests it, an Auditor reads it, and others cannot',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const { svc } = await deliver({ 'Svc:LLM:TrustedHosts': ['127.0.0.1'] }, withPages());
    const people = new Map<string, Person>();
    const as = async (role: 'Admin' | 'SecurityAdmin' | 'Auditor' | 'Editor') => {
      const person = people.get(role) ?? (await addUser(svc, `llm-${role.toLowerCase()}`, [role]));
      people.set(role, person);
      return signIn(svc, person);
    };
    const section = 'Language model';
    await lookAt(svc.origin, await as('Auditor'), async (page) => {
      await page.goto('/svc/admin-settings');
      await page.getByRole('region', { name: section }).getByText('No language model is connected').waitFor();
    });
    await lookAt(svc.origin, await as('Admin'), async (page) => {
      await page.goto('/svc/admin-settings');
      const part = page.getByRole('region', { name: section });
      await part.getByRole('combobox', { name: 'Provider' }).click();
      await page.getByRole('option', { name: 'OpenAI-compatible server' }).click();
      await part.getByLabel('Model', { exact: true }).fill(model);
      await part.getByRole('button', { name: 'Save connection' }).click();
      const address = part.getByLabel('Address', { exact: true });
      await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true');
      await address.fill('http://127.0.0.2:1/v1');
      await part.getByRole('button', { name: 'Save connection' }).click();
      await part.getByText(/Svc:LLM:TrustedHosts names hosts that may be private/).waitFor();
      await address.fill(`${provider.origin}/v1`);
      await part.getByLabel('API key', { exact: true }).fill(key);
      await part.getByRole('button', { name: 'Test before saving' }).click();
      await part.getByRole('status').getByText('The language model responds').waitFor();
      expect(await page.getByRole('row', { name: /Language model/ }).count()).toBe(0);
      await part.getByRole('button', { name: 'Save connection' }).click();
      await page.getByRole('row', { name: /Language model/ }).waitFor();
      const field = part.getByLabel('API key', { exact: true });
      await expect.poll(() => field.getAttribute('placeholder')).toMatch(/^Stored/);
      await expect.poll(() => field.inputValue()).toBe('');
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `llm-connection-${colorScheme}-${width}`);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      // The stored key does not apply to another address.
      await address.fill('https://llm.example.org/v1');
      await expect.poll(() => field.getAttribute('placeholder')).toBe('None is stored');
      await address.fill(`${provider.origin}/v1`);
      await part.getByLabel('Model', { exact: true }).fill('status-401');
      await part.getByRole('button', { name: 'Save connection' }).click();
      await part.getByRole('button', { name: 'Test connection' }).click();
      await part.getByRole('status').getByText('The language model does not respond').waitFor();
      expect(await part.textContent()).not.toContain(key);
      expect((await provider.seen()).at(-1)?.headers['authorization']).toBe(`Bearer ${key}`);
      await part.getByLabel('Model', { exact: true }).fill(model);
      await part.getByRole('button', { name: 'Save connection' }).click();
      await expect.poll(() => page.getByRole('row', { name: /Language model/ }).count()).toBe(3);
    });
    const asked = (await provider.seen()).length;
    await lookAt(svc.origin, await as('SecurityAdmin'), async (page) => {
      await page.goto('/svc/admin-settings');
      const limits = page.getByRole('region', { name: 'Call limits' });
      await limits.getByLabel('Calls per minute').fill('');
      await limits.getByRole('button', { name: 'Save limits' }).click();
      const calls = limits.getByLabel('Calls per minute');
      await expect.poll(() => calls.getAttribute('aria-invalid')).toBe('true');
      await calls.fill('40');
      await limits.getByLabel('Monthly budget').fill('12.5');
      await limits.getByRole('button', { name: 'Save limits' }).click();
      await limits.getByText(/needs the prices of the language model/).waitFor();
      await limits.getByLabel('Monthly budget').fill('');
      await limits.getByLabel('Monthly tokens').fill('2000000');
      await limits.getByRole('button', { name: 'Save limits' }).click();
      await page.getByRole('row', { name: /2000000 tokens a month, 40 calls a minute/ }).waitFor();
      await expect.poll(() => limits.getByLabel('Monthly tokens').inputValue()).toBe('2,000,000');
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await limits.scrollIntoViewIfNeeded();
          await picture(page, `llm-limits-${colorScheme}-${width}`);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      await limits.getByRole('button', { name: 'Back to the configured limits' }).click();
      await expect.poll(() => limits.getByLabel('Monthly tokens').inputValue()).toBe('');
      const part = page.getByRole('region', { name: section });
      await part.getByText('OpenAI-compatible server').waitFor();
      expect(await part.getByLabel('Model', { exact: true }).count()).toBe(0);
      await part.getByRole('button', { name: 'Test connection' }).click();
      await part.getByRole('status').getByText('The language model responds').waitFor();
      expect((await provider.seen()).length).toBe(asked + 1);
    });
    await lookAt(svc.origin, await as('Auditor'), async (page) => {
      await page.goto('/svc/admin-settings');
      const part = page.getByRole('region', { name: section });
      await part.getByText(model).waitFor();
      expect(await part.getByRole('button').count()).toBe(0);
      const limits = page.getByRole('region', { name: 'Call limits' });
      await limits.getByText('200,000').waitFor();
      expect(await limits.getByRole('button').count()).toBe(0);
    });
    await lookAt(svc.origin, await as('Editor'), async (page) => {
      await page.goto('/svc/admin-settings');
      await page.getByText('You do not have access').waitFor();
    });
    await lookAt(svc.origin, await as('Admin'), async (page) => {
      await page.goto('/svc/admin-settings');
      const part = page.getByRole('region', { name: section });
      await part.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(() => part.getByLabel('Model', { exact: true }).inputValue()).toBe('');
    });
  },
  inBrowser,
);

scenario(
  ['RT-4.3-820', 'RT-4.3-822'],
  'the settings page states that the model is off and that texts are stored, and shows the texts only to Admins',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const connected = {
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',

      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': model,
      'Svc:LLM:KeepsContent': true,
    };
    const { svc, root } = await deliver(connected, withPages());
    expect((await root.post('/svc/api/admin-settings/test-llm', {})).body.ok).toBe(true);
    const section = 'Recent calls';
    await lookAt(svc.origin, root, async (page) => {
      await page.goto('/svc/admin-settings');
      const connection = page.getByRole('region', { name: 'Language model' });
      await connection.getByText(/Prompts and answers are kept, encrypted, for seven days/).waitFor();
      await page
        .getByRole('region', { name: section })
        .getByRole('button', { name: /^Read call/ })
        .click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('region', { name: 'Instructions' }).getByText('Answer with the word').waitFor();
      await dialog.getByRole('region', { name: 'Answer' }).getByText('{"word":"ready"}').waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const width of [320, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `llm-call-${colorScheme}-${width}`);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
    });
    const auditor = await signIn(svc, await addUser(svc, 'llm-reader', ['Auditor']));
    await lookAt(svc.origin, auditor, async (page) => {
      await page.goto('/svc/admin-settings');
      const part = page.getByRole('region', { name: section });
      await part.getByRole('cell', { name: /^Test/ }).waitFor();
      expect(await part.getByRole('button', { name: /^Read call/ }).count()).toBe(0);
      await picture(page, 'llm-calls');
    });
    const off = await svc.replica({ ...connected, 'Svc:LLM:Enabled': false }, withPages());
    await lookAt(off.origin, root, async (page) => {
      await page.goto('/svc/admin-settings');
      const connection = page.getByRole('region', { name: 'Language model' });
      await connection.getByText(/The operator has switched the language model off/).waitFor();
      expect(await connection.getByRole('button', { name: 'Test connection' }).isDisabled()).toBe(true);
      await page.goto('/svc/ask');
      await page.getByText(/The operator has switched the language model off/).waitFor();
    });
  },
  inBrowser,
);
