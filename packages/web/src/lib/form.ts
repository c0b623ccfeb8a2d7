import { useRef, useState } from 'react';
import type { Static, TSchema } from 'typebox';
import { ProblemError } from './problem.ts';

// The checker is a third of what a form needs, and nothing needs it before the first submission.
const checker = () => import('./field-errors.ts');

/** Message by the name of the field. */
export type Errors = Readonly<Record<string, string>>;

function errorsOf(error: unknown): Errors {
  if (!(error instanceof ProblemError)) return {};
  const entries = error.problem.errors ?? [];
  return Object.fromEntries(
    entries.map((entry) => [entry.path.split('/')[1] ?? '', sentence(entry.message)]),
  );
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

export type Form<Values> = {
  readonly values: Values;
  readonly set: <K extends keyof Values>(name: K, value: Values[K]) => void;
  readonly reset: (values: Values) => void;
  readonly isDirty: boolean;
  readonly isSending: boolean;
  /** Message of a field, from the contract or from the service. */
  readonly errorOf: (name: keyof Values) => string | undefined;
  /** The refusal as a whole, unless every part of it stands at a field. */
  readonly refusal: unknown;
  /** Handler of the form's submit event. */
  readonly submit: (event?: { preventDefault: () => void }) => void;
};

type Options<S extends TSchema, Values> = {
  /** The contract's schema of the request body. */
  readonly schema: S | undefined;
  readonly initial: Values;
  /** What is sent for what is filled in. */
  readonly toBody: (values: Values) => unknown;
  readonly send: (body: Static<S>) => Promise<unknown>;
  /** Checks that no schema can hold, e.g. that two fields agree. */
  readonly check?: (values: Values) => Errors;
  /** Called with the names of the refused fields. */
  readonly onRefused?: () => void;
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

  const send = async () => {
    const body = options.toBody(values);
    const { fieldErrors } = await checker();
    const found = { ...(options.schema && fieldErrors(options.schema, body)), ...options.check?.(values) };
    setErrors(found);
    setRefusal(null);
    if (Object.keys(found).length > 0) {
      focusFirstError();
      return;
    }
    setSending(true);
    try {
      await options.send(body as Static<S>);
      setStart(values);
    } catch (error) {
      const byField = errorsOf(error);
      setErrors(byField);
      const isAllShown =
        Object.keys(byField).length > 0 && Object.keys(byField).every((name) => name in values);
      setRefusal(isAllShown ? null : error);
      if (isAllShown) focusFirstError();
    } finally {
      setSending(false);
    }
  };

  return {
    values,
    set: (name, value) => {
      setValues((present) => ({ ...present, [name]: value }));
      setErrors(({ [String(name)]: _gone, ...rest }) => rest);
    },
    reset: (next) => {
      setStart(next);
      setValues(next);
      setErrors({});
      setRefusal(null);
    },
    isDirty: JSON.stringify(values) !== JSON.stringify(start),
    isSending,
    errorOf: (name) => errors[String(name)],
    refusal,
    submit: (event) => {
      event?.preventDefault();
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      void send().finally(() => {
        isUnderWay.current = false;
      });
    },
  };
}

/** Focus goes to the first field that was refused, after it is marked. */
function focusFirstError(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
