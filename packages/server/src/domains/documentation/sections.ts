import type { TableMetadata } from '@svc/connectors';
import { type DocumentationKind, type GeneratedKind, scoreText } from '@svc/contract';
import type { CodeFacts, ContractFacts, Facts, QueryFacts, SourceFacts } from './facts.ts';
import type { PurposeOf } from './generations/describe-tables.ts';
import { code, plain, table } from './markdown.ts';

/** Described tables per source. For other tables, only names are listed. */
export const describedMax = 200;
const placesMax = 20;

const nameOf = ({ schema, name }: TableMetadata): string => (schema === '' ? name : `${schema}.${name}`);
const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

type IsPersonal = (column: string) => boolean;

function describeTable(one: TableMetadata, isPersonal: IsPersonal, purpose: string): string {
  const targets = new Map(
    one.foreignKeys.flatMap(({ columns, toSchema, toTable, toColumns }) =>
      columns.map((column, at) => [
        column,
        `${toSchema === '' ? toTable : `${toSchema}.${toTable}`}.${toColumns[at] ?? ''}`,
      ]),
    ),
  );
  const rows = one.columns.map((column) => {
    const target = targets.get(column.name);
    const notes = [
      ...(one.primaryKey.includes(column.name) ? ['primary key'] : []),
      ...(target === undefined ? [] : [`refers to ${code(target)}`]),
      ...(isPersonal(column.name) ? ['personal, masked'] : []),
      ...(column.comment ? [plain(column.comment)] : []),
    ];
    return [
      code(column.name),
      plain(column.databaseType),
      column.isNullable ? 'yes' : 'no',
      notes.join('; '),
    ];
  });
  const comment = one.comment ? `${plain(one.comment)}\n\n` : '';
  // Italics mark the model's text as such.
  const purposeText = purpose === '' ? '' : `*${plain(purpose)}*\n\n`;
  const heading = `#### ${code(nameOf(one))}${one.type === 'View' ? ' (view)' : ''}`;
  return `${heading}\n\n${comment}${purposeText}${table(['Column', 'Type', 'May be null', 'Notes'], rows)}`;
}

function describeSource(
  { id, name, engine, description, snapshot, relationships }: SourceFacts,
  isPersonal: IsPersonal,
  purposeOf: PurposeOf,
) {
  const about = description ? `${plain(description)}\n\n` : '';
  const heading = `### ${plain(name)} (${plain(engine)})\n\n${about}`;
  if (!snapshot) return `${heading}Its tables were not read yet.`;
  const described = snapshot.tables.slice(0, describedMax);
  const others = snapshot.tables.slice(describedMax).map((one) => code(nameOf(one)));
  const keys = relationships.map(
    ({ from, to, isVerified }) => `- ${code(from)} to ${code(to)}${isVerified ? '' : ' (not verified)'}`,
  );
  return [
    `${heading}${counted(snapshot.tables.length, 'table')}${snapshot.areTablesCut ? ', and more that were not read' : ''}.`,
    ...(keys.length > 0 ? [`**How they hang together**\n\n${keys.join('\n')}`] : []),
    ...described.map((one) => describeTable(one, isPersonal, purposeOf(id, one))),
    ...(others.length > 0 ? [`Further tables: ${others.join(', ')}.`] : []),
  ].join('\n\n');
}

function dataModel({ sources }: Facts, isPersonal: IsPersonal, purposeOf: PurposeOf): string {
  if (sources.length === 0) return 'No data source is linked to this project.';
  const about = hasPurposes({ sources }, purposeOf)
    ? ['What stands in italics was written by a language model, from names, types, keys and comments alone.']
    : [];
  return [...about, ...sources.map((source) => describeSource(source, isPersonal, purposeOf))].join('\n\n');
}

const hasPurposes = ({ sources }: Pick<Facts, 'sources'>, purposeOf: PurposeOf): boolean =>
  sources.some(({ id, snapshot }) =>
    snapshot?.tables.slice(0, describedMax).some((one) => purposeOf(id, one) !== ''),
  );

function describeQuery({ name, description, folder, sources, stepCount, subscriptions }: QueryFacts): string {
  const subscriptionLines = subscriptions.map(
    ({ cron, channels }) =>
      `  - on the schedule ${code(cron)}, to ${channels.length === 0 ? 'nobody' : channels.map(plain).join(', ')}`,
  );
  const reads = sources.length === 0 ? 'nothing yet' : sources.map(plain).join(', ');
  const place = folder === null ? '' : ` in ${plain(folder)}`;
  const about = description ? `: ${plain(description)}` : '';
  return [
    `- **${plain(name)}**${place}${about}`,
    `  - reads ${reads}${stepCount > 1 ? ` in ${counted(stepCount, 'step')}` : ''}`,
    ...subscriptionLines,
  ].join('\n');
}

const dataFlows = ({ queries }: Facts): string =>
  queries.length === 0 ? 'This project has no query.' : queries.map(describeQuery).join('\n');

function codeLineage({ code: mentions }: Facts): string {
  if (mentions.length === 0) return 'No repository of this project was found to name one of its tables.';
  const byTable = Map.groupBy(mentions, ({ table: name }) => name);
  const labels: Readonly<Record<string, string>> = {
    RawSql: 'SQL',
    Model: 'model',
    Migration: 'migration',
    Other: 'name',
  };
  return [...byTable]
    .map(([name, places]: [string, CodeFacts[]]) => {
      const shown = places
        .slice(0, placesMax)
        .map(
          ({ repository, path, kind, lineCount }) =>
            `- ${plain(repository)}: ${code(path)} (${labels[kind] ?? plain(kind)}, ${counted(lineCount, 'line')})`,
        );
      const more =
        places.length > placesMax ? [`- and ${counted(places.length - placesMax, 'place')} more`] : [];
      return `### ${code(name)}\n\n${[...shown, ...more].join('\n')}`;
    })
    .join('\n\n');
}

function describeContract({
  name,
  description,
  table: about,
  source,
  rules,
  ...last
}: ContractFacts): string {
  const outcome =
    last.lastStatus === null
      ? 'Not evaluated yet.'
      : `Last: ${last.lastStatus.toLowerCase()}${last.lastScore === null ? '' : `, score ${scoreText(last.lastScore)}`}.`;
  const rows = rules.map((rule) => [plain(rule.name), plain(rule.type), rule.columns.map(code).join(', ')]);
  const descriptionText = description ? `${plain(description)}\n\n` : '';
  return `### ${plain(name)}\n\n${descriptionText}Of ${code(about)} in ${plain(source)}. ${outcome}\n\n${table(['Rule', 'Type', 'Columns'], rows)}`;
}

const dataQuality = ({ contracts }: Facts): string =>
  contracts.length === 0
    ? 'This project has no data contract.'
    : contracts.map(describeContract).join('\n\n');

export const titles: Readonly<Record<DocumentationKind, string>> = {
  DataModel: 'Data model',
  DataFlows: 'Data flows',
  CodeLineage: 'Code that uses the tables',
  DataQuality: 'Data quality',
  Notes: 'Notes',
};

/** Content of a section, and whether a model contributed to it. */
export type Generated = { readonly content: string; readonly provenance: 'Facts' | 'Model' };

/** Returns the content of each section. It uses records and, in the data model, the model's descriptions of tables. */
export function sectionsOf(
  facts: Facts,
  isPersonal: IsPersonal,
  purposeOf: PurposeOf,
): Readonly<Record<GeneratedKind, Generated>> {
  const ofFacts = (content: string): Generated => ({ content, provenance: 'Facts' });
  return {
    DataModel: {
      content: dataModel(facts, isPersonal, purposeOf),
      provenance: hasPurposes(facts, purposeOf) ? 'Model' : 'Facts',
    },
    DataFlows: ofFacts(dataFlows(facts)),
    CodeLineage: ofFacts(codeLineage(facts)),
    DataQuality: ofFacts(dataQuality(facts)),
  };
}
