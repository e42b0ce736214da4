import { pythonSdks } from '../../support/pythonSdks';
import { describeAnswers } from './description/describeAnswers';
import { describeMethods } from './description/describeMethods';
import { throughPython } from './subject/ways';
import { describeCustody } from './suite';

const python = pythonSdks();

if (python === undefined) {
  it.skip('the Python SDKs are not tried where there is no Python', () => {});
} else {
  const way = throughPython(python);
  describeCustody(way);
  describeAnswers(way);
  describeMethods(way.methods);
}
