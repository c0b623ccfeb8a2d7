import { type AnswerOf, CheckContractRulesBody, checkContractRules } from '@svc/contract';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../lib/call.ts';
import { checkedParts, type Errors, focusFirstError, refusedParts } from '../../../lib/form.ts';
import { type ContractDraft, type RuleDraft, ruleInputOf } from './draft.ts';
import { keyed, ruleFaults } from './draft-faults.ts';
import type { DraftState } from './use-draft.ts';

/** Result of checking a rule of a draft. */
export type CheckedRule = AnswerOf<typeof checkContractRules>['results'][number];

export type CheckState =
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly asked: string; readonly result: CheckedRule }
  | { readonly kind: 'refused'; readonly error: unknown };

/** Maximum number of rules that the service checks in one request. */
const atOnce = 20;

type Place = { projectId: number; dataSourceId: number; schemaName: string; tableName: string };

/** Returns the table of a draft. Undefined until the user has chosen it. */
function placeOf({ projectId, dataSourceId, tableName }: ContractDraft): Place | undefined {
  if (!projectId || !dataSourceId || !tableName) return undefined;
  return { projectId: projectId.id, dataSourceId: dataSourceId.id, ...tableName };
}

/** Returns the input of a check as text. A result is stale if this text has changed since. */
const askedOf = (draft: ContractDraft, rule: RuleDraft): string => {
  const { name: _name, severity: _severity, weight: _weight, isEnabled: _on, ...input } = ruleInputOf(rule);
  return JSON.stringify([placeOf(draft), input]);
};

const inputOf = (rule: RuleDraft) => {
  const { id: _id, ...input } = ruleInputOf(rule);
  return input;
};

const batchesOf = (rules: readonly RuleDraft[]): readonly (readonly RuleDraft[])[] =>
  Array.from({ length: Math.ceil(rules.length / atOnce) }, (_, at) =>
    rules.slice(at * atOnce, (at + 1) * atOnce),
  );

const keysIn = (errors: Errors): ReadonlySet<string> =>
  new Set(Object.keys(errors).flatMap((place) => /^rules\/([^/]+)\//.exec(place)?.slice(1) ?? []));

/**
 * Checks rules of the draft with their present values. The service stores no result. Leaving the page aborts the
 * request.
 */
export function useChecks(state: DraftState) {
  const { draft } = state;
  const [states, setStates] = useState<ReadonlyMap<string, CheckState>>(new Map());
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);

  const note = (rules: readonly RuleDraft[], stateOf: (at: number) => CheckState | undefined) =>
    setStates((before) => {
      const next = new Map(before);
      for (const [at, { key }] of rules.entries()) {
        const checkState = stateOf(at);
        if (checkState) next.set(key, checkState);
        else next.delete(key);
      }
      return next;
    });

  const ask = async (place: Place, rules: readonly RuleDraft[]): Promise<Errors> => {
    if (rules.length === 0) return {};
    const body = { ...place, rules: rules.map(inputOf) };
    const broken = keyed(await checkedParts(CheckContractRulesBody, body), rules);
    const sound = rules.filter(({ key }) => !keysIn(broken).has(key));
    note(
      rules.filter((rule) => !sound.includes(rule)),
      () => undefined,
    );
    if (sound.length < rules.length) return { ...broken, ...(await ask(place, sound)) };
    note(rules, () => ({ kind: 'running' }));
    try {
      const { signal } = leaving.current ?? new AbortController();
      const { results } = await call(checkContractRules, { body }, { signal });
      note(rules, (at) => {
        const [rule, result] = [rules[at], results[at]];
        return rule && result && { kind: 'done', asked: askedOf(draft, rule), result };
      });
      return {};
    } catch (error) {
      const refused = keyed(refusedParts(error), rules);
      const others = rules.filter(({ key }) => !keysIn(refused).has(key));
      // One refused rule refuses the whole request, so the other rules are sent again without it.
      if (others.length === rules.length) note(rules, () => ({ kind: 'refused', error }));
      else
        note(
          rules.filter((rule) => !others.includes(rule)),
          () => undefined,
        );
      return others.length === rules.length ? refused : { ...refused, ...(await ask(place, others)) };
    }
  };

  const check = async (rules: readonly RuleDraft[]): Promise<void> => {
    const place = placeOf(draft);
    if (!place) return;
    const places = rules.map(({ key }) => `rules/${key}`);
    const faults = Object.fromEntries(
      rules.flatMap((rule) =>
        Object.entries(ruleFaults(rule)).map(([part, message]) => [`rules/${rule.key}/${part}`, message]),
      ),
    );
    let errors: Errors = faults;
    for (const batch of batchesOf(rules.filter(({ key }) => !keysIn(faults).has(key))))
      errors = { ...errors, ...(await ask(place, batch)) };
    if (leaving.current?.signal.aborted) return;
    state.show(errors, places);
    if (Object.keys(errors).length > 0) focusFirstError();
  };

  return {
    check,
    /** True if the draft has a table to check against. */
    canAsk: placeOf(draft) !== undefined,
    stateOf: (rule: RuleDraft): CheckState | undefined => states.get(rule.key),
    isRunning: [...states.values()].some(({ kind }) => kind === 'running'),
    /** Returns true if the result belongs to the present values of the rule. */
    isOfNow: (rule: RuleDraft, answered: CheckState): boolean =>
      answered.kind === 'done' && answered.asked === askedOf(draft, rule),
  };
}
export type Checks = ReturnType<typeof useChecks>;
