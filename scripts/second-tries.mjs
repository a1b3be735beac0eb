// A reporter for vitest that lists the tests that passed only at the second attempt. They count as passed, but each one
// is a bug in the test or a race in the code.
export default class SecondTries {
  #names = [];

  onTestCaseResult(testCase) {
    if (testCase.diagnostic()?.flaky) this.#names.push(`${testCase.module.relativeModuleId} > ${testCase.fullName}`);
  }

  onTestRunEnd() {
    if (!this.#names.length) return;
    console.log(`\nPassed only at the second attempt: ${this.#names.length}`);
    for (const name of this.#names) console.log(`  ${name}`);
  }
}
