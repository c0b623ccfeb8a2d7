import { type ConnectionTestResult, CreateDataSourceBody } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { checkedParts, type Errors, focusFirstError, refusedParts, within } from '../../../lib/form.ts';
import { type ConnectionValues, initialValues, missingFields } from '../connection/connection-fields.ts';
import { engines } from '../requests/engines.ts';

/** Draft of a data source, with the errors and the test result of its last request. */
export type SourceDraft = ReturnType<typeof useSourceDraft>;

export function useSourceDraft() {
  const kinds = useQuery(engines);
  const [engine, setEngine] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [connection, setConnection] = useState<ConnectionValues>({});
  /** Errors by field name: `name`, or a setting of the connection. */
  const [errors, setErrors] = useState<Errors>({});
  const [refusal, setRefusal] = useState<unknown>(null);
  const [testResult, setTestResult] = useState<ConnectionTestResult | null>(null);
  const kindOf = (engineName: string | null) =>
    kinds.data?.engines.find((each) => each.engine === engineName);
  const kind = kindOf(engine);
  const body = { name: name.trim(), engine: engine ?? '', connection };

  const showErrors = (newErrors: Errors) => {
    setErrors(newErrors);
    if (Object.keys(newErrors).length > 0) focusFirstError();
  };
  /** Performs a request if all required fields are filled in. Shows the errors of its refusal. */
  const attempt = async (request: () => Promise<void>, needsName: boolean) => {
    const nameErrors = needsName ? nameOf(await checkedParts(CreateDataSourceBody, body)) : {};
    const missing = { ...missingFields(kind?.settingsSchema, connection), ...nameErrors };
    showErrors(missing);
    setRefusal(null);
    if (Object.keys(missing).length > 0) return;
    try {
      await request();
    } catch (reason) {
      const { fields, isAllShown } = refusedFields(reason);
      showErrors(fields);
      setRefusal(isAllShown ? null : reason);
    }
  };
  return {
    engines: kinds.data?.engines,
    enginesError: kinds.error,
    kind,
    engine,
    name,
    connection,
    body,
    errors,
    refusal,
    testResult,
    setTestResult,
    attempt,
    chooseEngine: (chosenEngine: string) => {
      setEngine(chosenEngine);
      setTestResult(null);
      setErrors({});
      setConnection(initialValues(kindOf(chosenEngine)?.settingsSchema));
    },
    changeName: (newName: string) => {
      setName(newName);
      setErrors(({ name: _gone, ...rest }) => rest);
    },
    changeConnection: (values: ConnectionValues) => {
      setConnection(values);
      setTestResult(null);
      setErrors((before) =>
        Object.fromEntries(Object.entries(before).filter(([field]) => values[field] === connection[field])),
      );
    },
  };
}

const nameOf = ({ name }: Errors): Errors => (name === undefined ? {} : { name });

/** Returns the refused fields of a request, and true if they are all of its parts. */
function refusedFields(reason: unknown): { readonly fields: Errors; readonly isAllShown: boolean } {
  const refused = refusedParts(reason);
  const fields = { ...within(refused, 'connection'), ...nameOf(refused) };
  const refusedCount = Object.keys(refused).length;
  return { fields, isAllShown: refusedCount > 0 && Object.keys(fields).length === refusedCount };
}
