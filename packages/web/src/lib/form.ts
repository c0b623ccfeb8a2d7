import { useRef, useState } from 'react';
import type { Static, TSchema } from 'typebox';
import { ProblemError, sentence } from './problem.ts';

// The checker is a third of a form's code, and it is first needed at the first submission.
const checker = () => import('./field-errors.ts');

/** Messages by the place in the request: `name`, or `connection/host`. */
export type Errors = Readonly<Record<string, string>>;

/** Returns the service's errors of a request, by place. */
export function refusedParts(error: unknown): Errors {
  if (!(error instanceof ProblemError)) return {};
  const entries = error.problem.errors ?? [];
  return Object.fromEntries(entries.map(({ path, message }) => [path.replace(/^\//, ''), sentence(message)]));
}

/**
 * Returns the contract's errors of a request, by place. Empty if the checker's code cannot be loaded: the service
 * validates against the same schema, and the request itself reports an unavailable service.
 */
export const checkedParts = (schema: TSchema | undefined, body: unknown): Promise<Errors> =>
  checker().then(
    ({ fieldErrors }) => (schema ? fieldErrors(schema, body) : {}),
    () => ({}),
  );

/** Returns the messages within one part of a request, by their place in the part. */
export const within = (errors: Errors, part: string): Errors =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([place, message]) =>
      place.startsWith(`${part}/`) ? [[place.slice(part.length + 1), message]] : [],
    ),
  );

const fieldOf = (place: string): string => place.split('/')[0] ?? '';

export type Form<Values> = {
  readonly values: Values;
  readonly set: <K extends keyof Values>(name: K, value: Values[K]) => void;
  readonly reset: (values: Values) => void;
  readonly isDirty: boolean;
  readonly isSending: boolean;
  /** Version of the record on which the form is based. A newer cached version does not change it. */
  readonly version: number;
  /** Message of a field or of the first refused part of it, from the contract or from the service. */
  readonly errorOf: (name: keyof Values) => string | undefined;
  /** Messages of the parts of a field, by their place in it. */
  readonly errorsWithin: (name: keyof Values) => Errors;
  /** Refusal as a whole. Null if fields show all of its parts. */
  readonly refusal: unknown;
  /**
   * Handles the form's submit event.
   * @returns true if the request was sent and accepted.
   */
  readonly submit: (event?: { preventDefault: () => void }) => Promise<boolean>;
};

type Options<S extends TSchema, Values> = {
  /** Contract's schema of the request body. */
  readonly schema: S | undefined;
  readonly initial: Values;
  /**
   * Version of the record that `initial` contains. A newer version replaces the values until the user changes a field.
   * After a change the form retains its version: the service then refuses the save, so that no other user's change is
   * overwritten.
   */
  readonly version?: number | undefined;
  /** Converts form values to the request body. */
  readonly toBody: (values: Values) => unknown;
  readonly send: (body: Static<S>) => Promise<unknown>;
  /** Checks that a schema cannot express, e.g. that two fields agree. */
  readonly check?: (values: Values) => Errors;
};

/** Form for a request of the contract. The same schema validates it here and in the service. */
export function useForm<S extends TSchema, Values extends object>(options: Options<S, Values>): Form<Values> {
  const [start, setStart] = useState(options.initial);
  const [values, setValues] = useState(options.initial);
  const [errors, setErrors] = useState<Errors>({});
  const [refusal, setRefusal] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  // A ref changes immediately, while state changes with the next render: a double click submits once.
  const isUnderWay = useRef(false);
  const [version, setVersion] = useState(options.version ?? 0);
  const isDirty = JSON.stringify(values) !== JSON.stringify(start);

  if (options.version !== undefined && options.version !== version && !isDirty && !isSending) {
    setVersion(options.version);
    setStart(options.initial);
    setValues(options.initial);
  }

  const send = async (): Promise<boolean> => {
    const body = options.toBody(values);
    const allErrors = { ...(await checkedParts(options.schema, body)), ...options.check?.(values) };
    setErrors(allErrors);
    setRefusal(null);
    if (Object.keys(allErrors).length > 0) {
      focusFirstError();
      return false;
    }
    setSending(true);
    try {
      await options.send(body as Static<S>);
      setStart(values);
      return true;
    } catch (error) {
      const byPlace = refusedParts(error);
      const places = Object.keys(byPlace);
      setErrors(byPlace);
      const isAllShown = places.length > 0 && places.every((place) => fieldOf(place) in values);
      setRefusal(isAllShown ? null : error);
      if (isAllShown) focusFirstError();
      return false;
    } finally {
      setSending(false);
    }
  };

  return {
    values,
    set: (name, value) => {
      setValues((present) => ({ ...present, [name]: value }));
      setErrors((present) =>
        Object.fromEntries(Object.entries(present).filter(([place]) => fieldOf(place) !== name)),
      );
    },
    reset: (next) => {
      setStart(next);
      setValues(next);
      setErrors({});
      setRefusal(null);
    },
    isDirty,
    isSending,
    version,
    errorOf: (name) => errors[String(name)] ?? Object.values(within(errors, String(name)))[0],
    errorsWithin: (name) => within(errors, String(name)),
    refusal,
    submit: async (event) => {
      event?.preventDefault();
      if (isUnderWay.current) return false;
      isUnderWay.current = true;
      try {
        return await send();
      } finally {
        isUnderWay.current = false;
      }
    },
  };
}

/** Focuses the first invalid field, after the next render has marked it. */
export function focusFirstError(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
