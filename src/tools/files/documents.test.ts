import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fileTools } from '../testing/file-tools.ts';

/** The least that is a ZIP archive; checksums are left zero, since nothing here reads them. */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    bodies.push(local, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}

describe('documents', () => {
  it('show the words of a .docx', async () => {
    const { call, put } = fileTools();
    const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
    put(
      'a.docx',
      zip({ 'word/document.xml': `<w:document>${paragraph('Tom &amp; Ann')}${paragraph('&#233;nd')}</w:document>` }),
    );
    expect((await call('read_file', { path: 'a.docx' })).json).toMatchObject({ content: '1|Tom & Ann\n2|énd' });
  });

  it('show the cells of an .xlsx', async () => {
    const { call, put } = fileTools();
    put(
      'a.xlsx',
      zip({
        'xl/workbook.xml': '<workbook/>',
        'xl/sharedStrings.xml': '<sst><si><t>name</t></si><si><t>sum</t></si></sst>',
        'xl/worksheets/sheet1.xml':
          '<sheetData><row><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row><c r="A2"><v>7</v></c></row></sheetData>',
      }),
    );
    expect((await call('read_file', { path: 'a.xlsx' })).json.content).toBe('1|[sheet1]\n2|name\tsum\n3|7');
  });

  it('that only look like one are named as what they are', async () => {
    const { call, put } = fileTools();
    put('a.docx', Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(200)]));
    expect((await call('read_file', { path: 'a.docx' })).json.error).toContain('ZIP archive');
  });

  it('show the cells of a notebook with their outputs, and broken ones as they are', async () => {
    const { call, put } = fileTools();
    const cells = [
      { cell_type: 'markdown', source: ['# Title\n', 'text'] },
      { cell_type: 'code', source: 'print(1)', outputs: [{ text: ['1\n'] }] },
    ];
    put('a.ipynb', JSON.stringify({ cells }));
    const { content } = (await call('read_file', { path: 'a.ipynb' })).json;
    expect(content).toContain('# Cell 1 [markdown]\n2|# Title');
    expect(content).toMatch(/print\(1\)\n\d+\|# Output\n\d+\|1/);
    put('b.ipynb', '{"cells": [');
    expect((await call('read_file', { path: 'b.ipynb' })).json.content).toBe('1|{"cells": [');
  });
});
