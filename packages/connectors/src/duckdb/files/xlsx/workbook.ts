import { FileRefusal } from '../file-refusals.ts';
import { type Archive, damaged } from './archive.ts';
import type { Calendar } from './cells.ts';
import type { Attributes } from './xml.ts';

/** A sheet of a workbook. Only worksheets have a part with rows: charts have none. */
export type Sheet = { readonly name: string; readonly isShown: boolean; readonly part: string | undefined };

/** The parts of a workbook that determine the values of its cells. */
export type Workbook = {
  readonly calendar: Calendar;
  readonly sheets: readonly Sheet[];
  readonly sharedTexts: string | undefined;
  readonly styles: string | undefined;
};

type Relationship = { readonly id: string; readonly type: string; readonly part: string };

const relationshipNamespaces: readonly string[] = [
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  'http://purl.oclc.org/ooxml/officeDocument/relationships',
];
const hiddenStates: readonly string[] = ['hidden', 'veryHidden'];
const relationshipElements = { Relationships: { Relationship: {} } };
const workbookElements = { workbook: { workbookPr: {}, sheets: { sheet: {} } } };

/** Reads the list of the sheets. @throws FileRefusal for a file without a workbook */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const [root] = await relationshipsOf(archive, '', 'officeDocument');
  if (!root) throw new FileRefusal(`The file ${archive.file} is not an XLSX file.`);
  const relationships = await relationshipsOf(archive, root.part);
  const partOf = (type: string) => relationships.find((relationship) => relationship.type === type)?.part;
  const byId = new Map(relationships.map((relationship) => [relationship.id, relationship]));
  const sheets: Sheet[] = [];
  let calendar: Calendar = '1900';
  await archive.readPart(root.part, workbookElements, {
    open: (element, attributes) => {
      const textAt = (name: string) => attributes[name]?.value ?? '';
      if (element === 'workbookPr' && ['1', 'true'].includes(textAt('date1904'))) calendar = '1904';
      const id = relationshipIdOf(attributes);
      const name = textAt('name');
      if (element !== 'sheet' || name === '' || id === '') return;
      const target = byId.get(id);
      if (!target) throw damaged(archive.file);
      const part = target.type === 'worksheet' ? target.part : undefined;
      sheets.push({ name, isShown: !hiddenStates.includes(textAt('state')), part });
    },
  });
  return { calendar, sheets, sharedTexts: partOf('sharedStrings'), styles: partOf('styles') };
}

const relationshipIdOf = (attributes: Attributes): string =>
  Object.values(attributes).find(({ local, uri }) => local === 'id' && relationshipNamespaces.includes(uri))
    ?.value ?? '';

/** Returns the relationships of a part to other parts, or of the whole file. The type is the end of its address. */
async function relationshipsOf(archive: Archive, part: string, type?: string): Promise<Relationship[]> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const relationships: Relationship[] = [];
  const listed = `${folder}_rels/${part.slice(folder.length)}.rels`;
  if (part !== '' && !archive.hasPart(listed)) return [];
  await archive.readPart(listed, relationshipElements, {
    open: (element, attributes) => {
      const textAt = (name: string) => attributes[name]?.value ?? '';
      const target = textAt('Target');
      const kind = textAt('Type').split('/').at(-1) ?? '';
      if (element !== 'Relationship' || target === '' || textAt('TargetMode') === 'External') return;
      if (type !== undefined && kind !== type) return;
      relationships.push({ id: textAt('Id'), type: kind, part: resolvePart(folder, target) });
    },
  });
  return relationships;
}

/** Returns the name of a part from a target that is relative to a folder or to the file. */
function resolvePart(folder: string, target: string): string {
  const segments: string[] = [];
  for (const segment of `${target.startsWith('/') ? '' : folder}${target}`.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}
