import { pythonSdks } from '../support/pythonSdks';
import { describeAnswers } from './describeAnswers';
import { describeMethods } from './describeMethods';
import { describeCustody } from './suite';
import { throughPython } from './ways';

const python = pythonSdks();

if (python === undefined) {
  it.skip('the Python SDKs are not tried where there is no Python', () => {});
} else {
  const way = throughPython(python);
  describeCustody(way);
  describeAnswers(way);
  describeMethods(way.methods);
}
