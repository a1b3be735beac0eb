// A reporter of vitest's: names the tests that passed at their second try alone. They count as passed, and each is a
// fault in the test, or a race in what it tests.
export default class SecondTries {
  #names = [];

  onTestCaseResult(testCase) {
    if (testCase.diagnostic()?.flaky) this.#names.push(`${testCase.module.relativeModuleId} > ${testCase.fullName}`);
  }

  onTestRunEnd() {
    if (!this.#names.length) return;
    console.log(`\nPassed at the second try alone: ${this.#names.length}`);
    for (const name of this.#names) console.log(`  ${name}`);
  }
}
