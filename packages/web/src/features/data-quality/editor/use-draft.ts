import { useState } from 'react';
import type { Errors } from '../../../lib/form.ts';
import type { ContractDraft, RuleDraft } from './draft.ts';

/** Draft, its errors by place, and its expanded rules. */
export type DraftState = {
  readonly draft: ContractDraft;
  readonly errors: Errors;
  readonly change: (part: Partial<ContractDraft>) => void;
  readonly changeRule: (key: string, part: Partial<RuleDraft>) => void;
  /** Replaces the list of rules. */
  readonly setRules: (set: (rules: readonly RuleDraft[]) => readonly RuleDraft[]) => void;
  /** Shows new errors and expands their rules. They replace all errors, or only the errors of the named parts. */
  readonly show: (newErrors: Errors, inPlaceOf?: readonly string[]) => void;
  readonly take: (draft: ContractDraft) => void;
  readonly isOpen: (key: string) => boolean;
  readonly toggle: (key: string, isOpen?: boolean) => void;
};

const isWithin = (place: string, part: string): boolean => place === part || place.startsWith(`${part}/`);

/** Returns the errors outside the named parts of the draft. */
const without = (errors: Errors, parts: readonly string[]): Errors =>
  Object.fromEntries(
    Object.entries(errors).filter(([place]) => !parts.some((part) => isWithin(place, part))),
  );

const keyOf = (place: string): readonly string[] => /^rules\/([^/]+)\//.exec(place)?.slice(1) ?? [];

export function useDraft(start: ContractDraft): DraftState {
  const [draft, setDraft] = useState(start);
  const [errors, setErrors] = useState<Errors>({});
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const forget = (...parts: readonly string[]) => setErrors((before) => without(before, parts));

  return {
    draft,
    errors,
    change: (part) => {
      setDraft((before) => ({ ...before, ...part }));
      forget(...Object.keys(part));
    },
    changeRule: (key, part) => {
      setDraft((before) => ({
        ...before,
        rules: before.rules.map((rule) => (rule.key === key ? { ...rule, ...part } : rule)),
      }));
      forget(`rules/${key}`);
    },
    setRules: (set) => {
      setDraft((before) => ({ ...before, rules: set(before.rules) }));
      setErrors(({ rules: _none, ...others }) => others);
    },
    show: (newErrors, inPlaceOf) => {
      setErrors((before) => ({ ...(inPlaceOf && without(before, inPlaceOf)), ...newErrors }));
      setOpen((before) => new Set([...before, ...Object.keys(newErrors).flatMap(keyOf)]));
    },
    take: (next) => {
      setDraft(next);
      setErrors({});
    },
    isOpen: (key) => open.has(key),
    toggle: (key, isOpen) =>
      setOpen((before) => {
        const next = new Set(before);
        if (isOpen ?? !before.has(key)) next.add(key);
        else next.delete(key);
        return next;
      }),
  };
}
