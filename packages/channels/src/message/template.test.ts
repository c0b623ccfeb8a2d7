import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostileTexts } from '../testing/hostile-texts.ts';
import { bareMessage, testMessage } from '../testing/message.ts';
import { fillTemplate, isJson, placeholderNames, reviewTemplate, templateCharactersMax } from './template.ts';

const fill = (template: string, message = testMessage()) => fillTemplate(template, message);

describe('placeholders', () => {
  const values: ReadonlyArray<readonly [string, string]> = [
    ['Timestamp', '2026-03-04T05:06:07.089Z'],
    ['Source', 'Svc'],
    ['SubscriptionName', 'Late orders'],
    ['SubscriptionId', '42'],
    ['DataSourceName', 'Shop'],
    ['SqlQuery', 'select id, name, total from orders'],
    ['TotalRecords', '120'],
    ['ExecutionTimeMs', '1234.50'],
    ['PreviousResultCount', '7'],
    ['TimedOut', 'false'],
    ['Records', '[{"id":1,"name":"Ada","total":10.5},{"id":2,"name":"Bob","total":null}]'],
    ['NotificationUrl', 'https://svc.example.com/svc/notifications/9'],
    ['Anomaly.IsAnomaly', 'true'],
    ['Anomaly.Severity', 'High'],
    ['Anomaly.Explanation', 'Three times the usual count.'],
  ];

  test('the test table covers every placeholder', () => {
    expect(values.map(([name]) => name)).toEqual(placeholderNames);
  });

  for (const [name, value] of values)
    test(`${name} is replaced with its value, in any letter case`, () => {
      for (const written of [name, name.toLowerCase(), name.toUpperCase(), ` ${name} `])
        expect(fill(`<{{${written}}}>`)).toBe(`<${value}>`);
    });

  test('a placeholder without a value is replaced with an empty text', () => {
    const optional = [
      'SubscriptionId',
      'SqlQuery',
      'ExecutionTimeMs',
      'PreviousResultCount',
      'NotificationUrl',
      'Anomaly.IsAnomaly',
      'Anomaly.Severity',
      'Anomaly.Explanation',
    ];
    for (const name of optional) {
      expect([name, fill(`<{{${name}}}>`, bareMessage())]).toEqual([name, '<>']);
      expect([name, fill(`<{{${name}_Pretty}}>`, bareMessage())]).toEqual([name, '<>']);
    }
    expect(fill('{{Records}}', bareMessage())).toBe('[]');
  });

  test('the placeholders of an anomaly that did not flag the run are empty', () => {
    const anomaly = { isAnomaly: false, severity: 'Low', explanation: 'As usual.' };
    expect(fill('<{{Anomaly.IsAnomaly}}{{Anomaly.Severity}}>', testMessage({ anomaly }))).toBe('<>');
  });

  test('decimals have two decimal places and whole numbers have none', () => {
    expect(fill('{{ExecutionTimeMs}}', testMessage({ executionTimeMs: 3 }))).toBe('3.00');
    expect(fill('{{ExecutionTimeMs}}', testMessage({ executionTimeMs: 0.005 }))).toMatch(/^0\.0[01]$/);
    expect(fill('{{TotalRecords}}', testMessage({ totalRows: 12_345_678 }))).toBe('12345678');
  });

  test('the suffix _Pretty produces indented JSON', () => {
    expect(fill('{{Records_Pretty}}')).toBe(
      '[\n  {\n    "id": 1,\n    "name": "Ada",\n    "total": 10.5\n  },\n  {\n    "id": 2,\n    "name": "Bob",\n    "total": null\n  }\n]',
    );
    expect(fill('{{records_PRETTY}}')).toBe(fill('{{Records_Pretty}}'));
    expect(fill('{{SubscriptionName_Pretty}}')).toBe('"Late orders"');
    expect(fill('{{TotalRecords_Pretty}}')).toBe('120');
  });

  test('text is inserted without JSON escaping, so the author must write the quotes', () => {
    expect(fill('{"n":"{{SubscriptionName}}"}', testMessage({ subscriptionName: 'a "b" \\' }))).toBe(
      '{"n":"a "b" \\"}',
    );
  });

  test('an unknown placeholder becomes UNKNOWN:<Name> inside its braces', () => {
    expect(fill('a {{Foo}} b {{ foo.Bar }} c {{Records_Ugly}}')).toBe(
      'a {{UNKNOWN:Foo}} b {{UNKNOWN:foo.Bar}} c {{UNKNOWN:Records_Ugly}}',
    );
    for (const name of [
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'Anomaly',
      'Anomaly.constructor',
    ])
      expect(fill(`{{${name}}}`)).toBe(`{{UNKNOWN:${name}}}`);
  });
});

describe('scanning of templates', () => {
  test('braces without a valid placeholder remain unchanged', () => {
    for (const text of [
      '',
      '{',
      '{{',
      '}}',
      '{}',
      '{{}}',
      '{{ }}',
      '{{Source',
      'Source}}',
      '{{"a":1}}',
      '{"a":{"b":{}}}',
      '{{a\nb}}',
      `{{${'x'.repeat(200)}}}`,
    ])
      expect(fill(text)).toBe(text);
  });

  test('a placeholder inside JSON braces is recognized', () => {
    expect(fill('{"a":{{TotalRecords}}}')).toBe('{"a":120}');
    expect(fill('{"a":{"b":{{TotalRecords}}}}')).toBe('{"a":{"b":120}}');
    expect(fill('{{{Source}}}')).toBe('{Svc}');
    expect(fill('{{{{Source}}}}')).toBe('{{Svc}}');
    expect(fill('{{{{{{')).toBe('{{{{{{');
    expect(fill('{{ {{Source}}')).toBe('{{ Svc');
  });

  test('inserted values are never expanded again', () => {
    for (const text of hostileTexts) {
      const message = testMessage({ subscriptionName: text, queryText: text });
      expect(fill('[{{SubscriptionName}}|{{SqlQuery}}]', message)).toBe(`[${text}|${text}]`);
    }
  });

  test('every template produces a text, and a template without braces remains unchanged', () => {
    const piece = fc.oneof(fc.constantFrom('{', '{{', '}', '}}', 'Source', ' ', '"', '\n'), fc.string());
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const template = pieces.join('');
        expect(typeof fill(template)).toBe('string');
        const without = template.replace(/[{}]/g, '');
        expect(fill(without)).toBe(without);
      }),
    );
  });

  test('processes the largest hostile templates', () => {
    for (const unit of ['{{', '{{{', '{{a', '}}{{', '{{ }}', '{{"}}', `{{${'x'.repeat(101)}`])
      expect(fill(unit.repeat(Math.floor(templateCharactersMax / unit.length)))).toBeDefined();
  });

  test('a template or a result that exceeds the length limit is not processed', () => {
    expect(fill('x'.repeat(templateCharactersMax + 1))).toBeUndefined();
    const big = testMessage({ queryText: 'q'.repeat(100_000) });
    expect(fill('{{SqlQuery}}'.repeat(5), big)).toHaveLength(500_000);
    expect(fill('{{SqlQuery}}'.repeat(5_000), big)).toBeUndefined();
  });
});

describe('template review at save', () => {
  test('lists each unknown placeholder once and does not refuse the template', () => {
    expect(reviewTemplate('{{Foo}} {{Records_pretty}} {{Foo}} {{Bar}} {{source}}')).toEqual({
      unknownPlaceholders: ['Foo', 'Bar'],
    });
  });

  test('refuses a template that is too long', () => {
    expect(reviewTemplate('x'.repeat(templateCharactersMax + 1)).refusal).toMatch(/longer than/);
  });

  test('distinguishes valid JSON from other text', () => {
    expect([isJson('{"a":1}'), isJson('{"a":}'), isJson('')]).toEqual([true, false, false]);
  });
});
