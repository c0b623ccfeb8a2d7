import type { Locator, Page } from 'playwright-core';

/** Operates the editor of a data contract as a user does. */
export function contractEditor(page: Page) {
  const rules = page.getByRole('region', { name: 'Rules' });
  const chooseIn = async (place: Locator | Page, field: string, option: string) => {
    await place.getByRole('combobox', { name: field, exact: true }).click();
    await page
      .getByRole('option', { name: new RegExp(`^${option.replaceAll('.', '\\.')}\\b`) })
      .first()
      .click();
  };
  return {
    chooseIn,
    choose: (field: string, option: string) => chooseIn(page, field, option),
    /** Returns the rule at an index, counted from 0. */
    inRule: (at: number): Locator => rules.locator('[data-rule]').nth(at),
    /** Adds a rule of a type. Its form is open afterwards. */
    add: async (type: string) => {
      await page.getByRole('button', { name: 'Add rule' }).click();
      await page.getByRole('menuitem', { name: new RegExp(`^${type}`) }).click();
    },
  };
}
