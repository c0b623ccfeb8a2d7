import type { ConnectionTestResult } from '@svc/contract';
import { Remedy } from '../../../ui/feedback/remedy.tsx';
import { Sentence, Status } from '../../../ui/record/status.tsx';

/** Result of a connection test. */
export function TestResult({ result }: { readonly result: ConnectionTestResult }) {
  return (
    <div className="panel stack-tight" style={{ padding: 12 }} role="status">
      <Status tone={result.ok ? 'green' : 'red'}>{result.ok ? 'Connected' : 'Connection failed'}</Status>
      <p>{result.message}</p>
      {result.next !== null && <p>{result.next}</p>}
      {result.warnings.map((warning) => (
        <Sentence key={warning.code} tone="amber">
          {warning.message}
        </Sentence>
      ))}
      <Remedy text={result.remedy} />
    </div>
  );
}
