import { describe, expect, it } from 'vitest';
import { type Draft, type DraftStep, emptyDraft } from '../../../../views/query-run/draft.ts';
import { type DraftAction, finalKey, initialDraftState, reduceDraft, shownStep } from './draft-state.ts';

const step = (key: string, dataSourceId: number | null = 3): DraftStep => ({
  key,
  name: '',
  description: null,
  dataSourceId,
  sql: `select '${key}'`,
});
const draft: Draft = {
  ...emptyDraft(7, 3),
  folderId: 5,
  steps: [step('a'), step('b', 4)],
  finalQuery: 'select 1',
};
const after = (...actions: readonly DraftAction[]) => actions.reduce(reduceDraft, initialDraftState(draft));

describe('the draft of the query editor', () => {
  it('shows its first step initially', () => {
    expect(initialDraftState(draft).shownKey).toBe('a');
    expect(initialDraftState({ ...draft, steps: [] }).shownKey).toBe(finalKey);
  });

  it('leaves its folder when the project changes, and retains its data sources', () => {
    const changed = after({ kind: 'change-project', projectId: 8 }).draft;
    expect(changed).toEqual({ ...draft, projectId: 8, folderId: null });
  });

  it('changes the text with the key of the action, even if another text is shown', () => {
    const changed = after({ kind: 'show', key: 'b' }, { kind: 'change-text', key: 'a', sql: 'select 2' });
    expect(changed.draft.steps.map(({ sql }) => sql)).toEqual(['select 2', "select 'b'"]);
    expect(shownStep(changed)?.key).toBe('b');
    const final = after({ kind: 'change-text', key: finalKey, sql: 'select 3' });
    expect(final.draft).toEqual({ ...draft, finalQuery: 'select 3' });
  });

  it('ignores the text of a step that was removed', () => {
    expect(after({ kind: 'change-text', key: 'gone', sql: 'select 2' }).draft).toEqual(draft);
  });

  it('changes the name and the data source of one step', () => {
    const changed = after({ kind: 'change-step', key: 'b', part: { name: 'limits', dataSourceId: null } });
    expect(changed.draft.steps).toEqual([step('a'), { ...step('b', null), name: 'limits' }]);
  });

  it('replaces the declaration of a parameter', () => {
    const declared = after(
      { kind: 'declare-parameter', parameter: { name: 'limit', type: 'String' } },
      { kind: 'declare-parameter', parameter: { name: 'region', type: 'String' } },
      { kind: 'declare-parameter', parameter: { name: 'limit', type: 'Number' } },
    );
    expect(declared.draft.parameters).toEqual([
      { name: 'region', type: 'String' },
      { name: 'limit', type: 'Number' },
    ]);
  });

  it('removes only the data sources that the project does not link', () => {
    const changed = after({ kind: 'remove-unlinked-sources', linkedIds: new Set([3]) });
    expect(changed.draft.steps.map(({ dataSourceId }) => dataSourceId)).toEqual([3, null]);
  });

  it('is the same state if the project links all of its data sources', () => {
    const state = initialDraftState(draft);
    const linkedIds = new Set([3, 4]);
    expect(reduceDraft(state, { kind: 'remove-unlinked-sources', linkedIds })).toBe(state);
  });

  it('shows an added step, and adds a final query that joins the steps', () => {
    const single = initialDraftState({ ...draft, steps: [step('a')], finalQuery: null });
    const changed = reduceDraft(single, { kind: 'add-step', step: step('c', null) });
    expect(changed.shownKey).toBe('c');
    expect(changed.draft.finalQuery).toBe('select * from step1');
    expect(after({ kind: 'add-step', step: step('c') }).draft.finalQuery).toBe('select 1');
  });

  it('shows the first remaining step after the shown text is removed', () => {
    const withoutStep = after({ kind: 'remove-shown' });
    expect(withoutStep).toEqual({ draft: { ...draft, steps: [step('b', 4)] }, shownKey: 'b' });
    const withoutFinal = after({ kind: 'show', key: finalKey }, { kind: 'remove-shown' });
    expect(withoutFinal).toEqual({ draft: { ...draft, finalQuery: null }, shownKey: 'a' });
    expect(
      after({ kind: 'show', key: finalKey }, { kind: 'remove-shown' }, { kind: 'add-final-query' }),
    ).toEqual({
      draft: { ...draft, finalQuery: 'select * from step1' },
      shownKey: finalKey,
    });
  });

  it('retains the shown text when another draft replaces it without a choice of text', () => {
    const theirs = { ...draft, name: 'Theirs' };
    const shown = { kind: 'show', key: 'b' } as const;
    expect(after(shown, { kind: 'replace', draft: theirs })).toEqual({ draft: theirs, shownKey: 'b' });
    expect(after(shown, { kind: 'replace', draft: theirs, shownKey: 'a' }).shownKey).toBe('a');
  });
});
