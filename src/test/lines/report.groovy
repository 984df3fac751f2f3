// Licensed under the Apache License, Version 2.0; see docs/licence-header.txt.
//
// After -Dhbase.line=…: writes target/line-LINE/report.md, which line the integration tests ran on,
// with which jar, and what came of them.
import java.security.MessageDigest
import javax.xml.parsers.DocumentBuilderFactory

def line = project.properties['line.version']
def home = new File(project.build.directory, "line-$line")
def jar = project.artifact.file
def sum = MessageDigest.getInstance('SHA-256').digest(jar.bytes).encodeHex()
def parser = DocumentBuilderFactory.newInstance().newDocumentBuilder()
def suites = (home.listFiles() ?: []).findAll { it.name ==~ /TEST-.*\.xml/ }.sort()
    .collect { parser.parse(it).documentElement }
def below = { node, String tag -> (0..<node.getElementsByTagName(tag).length).collect { node.getElementsByTagName(tag).item(it) } }
def count = { String what -> suites.sum { it.getAttribute(what).toInteger() } ?: 0 }
def first = { it.getAttribute('message').readLines().find() ?: it.getAttribute('type') }
def report = new StringBuilder()
report << "# Integration tests on HBase $line\n\n"
report << "- compiled against ${project.properties['hbase.version']}, not recompiled: ${jar.name}, SHA-256 `$sum`\n"
report << "- tests ${count('tests')}, failures ${count('failures')}, errors ${count('errors')}, skipped ${count('skipped')}\n"
suites.collectMany { below(it, 'testcase') }.each { test ->
  def name = test.getAttribute('classname').tokenize('.').last() + '.' + test.getAttribute('name')
  ['failure', 'error', 'skipped'].each { outcome ->
    below(test, outcome).each { report << "- $outcome: $name: ${first(it)}\n" }
  }
}
home.mkdirs()
new File(home, 'report.md').text = report
println report
