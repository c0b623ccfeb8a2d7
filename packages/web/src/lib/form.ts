import { useRef, useState } from 'react';
import type { Static, TSchema } from 'typebox';
import { ProblemError, sentence } from './problem.ts';

// The checker is a third of what a form needs, and nothing needs it before the first submission.
const checker = () => import('./field-errors.ts');

/** Message by the place in the request: `name`, or `connection/host`. */
export type Errors = Readonly<Record<string, string>>;

/** What the service finds wrong with a request, by place. */
export function refusedParts(error: unknown): Errors {
  if (!(error instanceof ProblemError)) return {};
  const entries = error.problem.errors ?? [];
  return Object.fromEntries(entries.map(({ path, message }) => [path.replace(/^\//, ''), sentence(message)]));
}

/**
 * What the contract finds wrong with a request, by place. Nothing where the checker's code cannot be loaded: the
 * service checks by the same schema, and says whether it is there at all.
 */
export const checkedParts = (schema: TSchema | undefined, body: unknown): Promise<Errors> =>
  checker().then(
    ({ fieldErrors }) => (schema ? fieldErrors(schema, body) : {}),
    () => ({}),
  );

/** The messages within one part of a request, by their place in it. */
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
  /** Version of the record that the form shows, however often the page has read it since. */
  readonly version: number;
  /** Message of a field or of the first refused part of it, from the contract or from the service. */
  readonly errorOf: (name: keyof Values) => string | undefined;
  /** Messages of the parts of a field, by their place in it. */
  readonly errorsWithin: (name: keyof Values) => Errors;
  /** The refusal as a whole, unless every part of it stands at a field. */
  readonly refusal: unknown;
  /** Handler of the form's submit event. @returns whether it was sent and accepted. */
  readonly submit: (event?: { preventDefault: () => void }) => Promise<boolean>;
};

type Options<S extends TSchema, Values> = {
  /** The contract's schema of the request body. */
  readonly schema: S | undefined;
  readonly initial: Values;
  /**
   * Version of the record that `initial` was made of. A newer one takes the place of what is shown as long as nothing
   * is filled in. After that the form keeps the version it began with, so that saving is refused: nobody's change is
   * written over.
   */
  readonly version?: number | undefined;
  /** What is sent for what is filled in. */
  readonly toBody: (values: Values) => unknown;
  readonly send: (body: Static<S>) => Promise<unknown>;
  /** Checks that no schema can hold, e.g. that two fields agree. */
  readonly check?: (values: Values) => Errors;
};

/** A form over a request of the contract: the same schema checks it here and at the service. */
export function useForm<S extends TSchema, Values extends object>(options: Options<S, Values>): Form<Values> {
  const [start, setStart] = useState(options.initial);
  const [values, setValues] = useState(options.initial);
  const [errors, setErrors] = useState<Errors>({});
  const [refusal, setRefusal] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  // At once, where the state waits for the next drawing: a double click is one submission.
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
    const found = { ...(await checkedParts(options.schema, body)), ...options.check?.(values) };
    setErrors(found);
    setRefusal(null);
    if (Object.keys(found).length > 0) {
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

/** Focus goes to the first field that was refused, after it is marked. */
export function focusFirstError(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
