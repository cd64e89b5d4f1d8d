import { describe, expect, it } from '@jest/globals';
import { csvLine } from './csv';

describe('a line of CSV', () => {
  it('when a field holds what RFC 4180 gives a meaning, then it is quoted; what is null is empty, and no text', () => {
    expect(csvLine(['a,b', 'say "x"', 'two\nlines', null, undefined, 12.5, true])).toBe(
      '"a,b","say ""x""","two\nlines",,,12.5,true\r\n',
    );
    expect(csvLine([[{ step: 'funds' }], { a: 1 }])).toBe('"[{""step"":""funds""}]","{""a"":1}"\r\n');
  });

  it('when a text would be run by a spreadsheet, then an apostrophe keeps it from that; a number never needs one', () => {
    expect(csvLine(['=1+1', '+966500000001', '-1', '@x', '\tx', '\rx', -1])).toBe(
      `'=1+1,'+966500000001,'-1,'@x,'\tx,"'\rx",-1\r\n`,
    );
  });
});
