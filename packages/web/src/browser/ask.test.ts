import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { cutButtons } from './testing/cut-buttons.ts';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const said = (part: Readonly<Record<string, unknown>>) => ({
  kind: 'Sql',
  sql: null,
  assumptions: [],
  question: null,
  options: [],
  missing: null,
  ...part,
});

describe.skipIf(!hasChromium)('questions in plain language', () => {
  let provider: LlmProviderProcess;
  const fixture = useBrowserFixture({
    service: async () => {
      provider = await startLlmProvider();
      return {
        settings: {
          'Svc:LLM:TrustedHosts': ['127.0.0.1'],
          'Svc:LLM:Provider': 'OpenAiCompatible',
          'Svc:LLM:Endpoint': `${provider.origin}/v1`,
          'Svc:LLM:Model': 'script',
          'Svc:LLM:InputPrice': '2.5',
          'Svc:LLM:OutputPrice': 10,
        },
      };
    },
  });
  afterAll(() => provider?.close());

  test(
    'can be answered, clarified, refused, cancelled and marked as right on the page',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/ask', 'Ask');
      const question = main.getByRole('textbox', { name: /question/ });
      await fixture.choose('Data source', 'Shop database');
      const answerTo = (text: string) => main.getByRole('article', { name: text });
      const ask = async (text: string) => {
        await question.fill(text);
        await question.press('Enter');
        return answerTo(text);
      };
      await provider.script(
        said({
          sql: 'select c.id, c.name, c.email, c.country from customers c order by c.id',
          assumptions: ['Customers of every country are meant.'],
        }),
      );
      const first = await ask('Who are our customers?');
      await first.getByText('Answered', { exact: true }).waitFor();
      await first.getByText('Medium confidence').waitFor();
      await first.getByText('Customers of every country are meant.').waitFor();
      await first.getByText(/18 tokens, which cost under 0\.0001/).waitFor();
      await first.getByRole('grid', { name: 'Rows of the answer' }).waitFor();
      expect(page.url()).toMatch(/conversation=\d+/);
      await first.getByRole('button', { name: 'Mark as right' }).click();
      await first.getByRole('button', { name: 'Marked right' }).waitFor();

      await provider.script(
        said({
          kind: 'Clarify',
          question: 'Which month do you mean?',
          options: ['This one', 'The last one'],
        }),
        said({ kind: 'CannotAnswer', missing: 'There is no table about weather.' }),
      );
      await (await ask('How was the month?')).getByText('Which month do you mean?').waitFor();
      await (await ask('How is the weather?')).getByText('There is no table about weather.').waitFor();
      const drop = said({ sql: 'drop table customers' });
      await provider.script(drop, drop, drop);
      await (await ask('Remove all customers')).getByText('Refused', { exact: true }).waitFor();
      await provider.script(said({ sql: 'select id from customers where name = null limit 3' }));
      const advised = await ask('Who has no name?');
      await advised.getByText(/It compares with NULL/).waitFor();
      await advised.getByText('No rows.').waitFor();
      await advised.getByRole('button', { name: 'Run again' }).click();
      await provider.script(said({ sql: 'select pg_sleep(60)' }));
      const slow = await ask('Take your time, please');
      await slow.getByRole('button', { name: 'Cancel' }).click();
      await slow.getByText('Cancelled', { exact: true }).waitFor();

      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const width of [320, 390, 1024, 1440]) {
          await page.setViewportSize({ width, height: 1000 });
          await first.scrollIntoViewIfNeeded();
          await picture(page, `ask-${colorScheme}-${width}`);
          expect(await cutButtons(page), `${width} px`).toEqual([]);
          const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
          expect(overflow, `${width} px`).toBeLessThanOrEqual(0);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      await main.getByText(/You used \d+ of 500,000 tokens today/).waitFor();
      await fixture.walk('/admin-settings', 'Admin settings');
      const usage = main.getByRole('region', { name: 'Tokens used' });
      await usage.getByText(/This month \d+ tokens are spent, without a limit/).waitFor();
      await usage.getByRole('combobox', { name: 'By' }).click();
      await page.getByRole('option', { name: 'Purpose' }).click();
      await usage.getByRole('cell', { name: 'Ask' }).waitFor();
      await usage.getByRole('columnheader', { name: 'Cost' }).waitFor();
      const until = usage.getByLabel('To', { exact: true });
      const today = await until.inputValue();
      await until.fill('2020-01-01');
      await usage.getByText('The range ends before it begins.').waitFor();
      await usage.getByLabel('From', { exact: true }).fill('2019-12-01');
      await usage.getByText('No calls in this period.').waitFor();
      await usage.getByRole('combobox', { name: 'Of the last' }).click();
      await page.getByRole('option', { name: '7 days' }).click();
      expect(await until.inputValue()).toBe(today);
      await usage.getByRole('cell', { name: 'Ask' }).waitFor();
      await picture(page, 'llm-usage');
      expect(await axeFindings(page)).toEqual([]);
      await fixture.walk('/evaluation?tab=candidates', 'Evaluation');
      const candidates = main.getByRole('list', { name: 'Candidates' });
      await candidates
        .getByRole('button', { name: 'Create a golden example from: Who are our customers?' })
        .click();
      await main.getByText('No candidates').waitFor();
      await main.getByRole('tab', { name: 'Feedback' }).click();
      await main.getByRole('cell', { name: 'Who are our customers?' }).waitFor();
      await main.getByRole('tab', { name: 'Evaluations' }).click();
      await provider.script(said({ sql: 'select id from customers limit 1' }));
      await main.getByRole('button', { name: 'Evaluate now' }).click();
      await main.getByRole('table', { name: 'Evaluations' }).getByText('Completed').waitFor();
      await main.getByRole('table', { name: 'Evaluations' }).getByRole('link').first().click();
      const results = main.getByRole('region', { name: 'Results' });
      await results.getByText(/model script/).waitFor();
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const width of [320, 390, 1024, 1440]) {
          await page.setViewportSize({ width, height: 1000 });
          await picture(page, `evaluation-${colorScheme}-${width}`);
          expect(await cutButtons(page), `${width} px`).toEqual([]);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      await fixture.walk('/ask', 'Ask');
      await main.getByRole('link', { name: 'Who are our customers?' }).click();
      await first.getByText('Answered', { exact: true }).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'use voting candidates and explained rows as set in the MCP settings, and can be evaluated on a schedule',
    async () => {
      const { main, page, visitor } = fixture;
      const look = async (name: string): Promise<void> => {
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          for (const width of [320, 1440]) {
            await page.setViewportSize({ width, height: 1000 });
            await picture(page, `${name}-${colorScheme}-${width}`);
            expect(await cutButtons(page), `${width} px`).toEqual([]);
          }
          expect(await axeFindings(page)).toEqual([]);
        }
      };
      await fixture.open('/mcp-settings', 'MCP settings');
      await fixture.choose('Written for one question', '3 statements');
      await fixture.choose('Rows to the language model', 'Masked, when somebody wants an answer explained');
      await look('mcp-questions');
      await main.getByRole('button', { name: 'Save settings' }).click();
      await page.getByText('Settings saved.').waitFor();

      await fixture.walk('/ask', 'Ask');
      await fixture.choose('Data source', 'Shop database');
      const one = said({ sql: 'select count(*) as n from customers' });
      await provider.script(said({ sql: 'select 0 as n' }), one, one);
      const question = main.getByRole('textbox', { name: /question/ });
      await question.fill('How many customers are there?');
      await question.press('Enter');
      const answer = main.getByRole('article', { name: 'How many customers are there?' });
      await answer.getByText('2 of 3 candidates agreed.').waitFor();
      await answer.getByText('Low confidence').waitFor();
      await provider.script({ explanation: 'There are customers; <b>none</b> is told by name.' });
      await answer.getByRole('button', { name: 'Explain' }).click();
      const explanation = answer.getByRole('region', { name: 'Explanation' });
      await explanation.getByText('There are customers; <b>none</b> is told by name.').waitFor();
      await explanation.getByText(/Written by script from 1 masked row/).waitFor();
      await look('ask-explained');

      await fixture.walk('/evaluation?tab=schedules', 'Evaluation');
      await main.getByText('No schedules').waitFor();
      await main.getByRole('button', { name: 'New schedule' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'Project' }).click();
      await page.getByRole('option', { name: 'Demo shop' }).click();
      await dialog.getByRole('textbox', { name: 'Right answers wanted, in percent' }).fill('90');
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'eval-schedule-dialog');
      await dialog.getByRole('button', { name: 'Add schedule' }).click();
      const schedules = main.getByRole('table', { name: 'Schedules' });
      await schedules.getByText('As wanted').waitFor();
      await schedules.getByText('90 %').waitFor();
      await look('eval-schedules');
      await fixture.act('Actions for Demo shop', 'Pause');
      await schedules.getByText('Paused').waitFor();
      await fixture.act('Actions for Demo shop', 'Delete');
      await dialog.getByRole('button', { name: 'Delete schedule' }).click();
      await main.getByText('No schedules').waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
