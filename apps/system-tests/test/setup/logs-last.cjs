const { default: Sequencer } = require('@jest/test-sequencer');

// What the whole run has written is looked at when all of it is written.
module.exports = class LogsLast extends Sequencer {
  sort(tests) {
    const isLast = ({ path }) => path.endsWith('/logs.spec.ts');
    const sorted = super.sort(tests);
    return [...sorted.filter((test) => !isLast(test)), ...sorted.filter(isLast)];
  }
};
