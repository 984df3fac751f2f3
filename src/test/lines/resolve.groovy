// Licensed under the Apache License, Version 2.0; see docs/licence-header.txt.
//
// Resolves the jars of each line in lines.properties, by the build's own Maven session, and writes
// into target/lines, beside the class path, for the link check and the bed:
//   LINE.jars     paths of hbase-server and, of a whole line, all it needs at run time, one a line
//   LINE.webapps  path of hadoop-hdfs's test jar, which alone has HDFS's web applications
//   jetty-12.jars the web server of HBase 3.0.0, for what the plugin's page names there
//   built         the line that the classes are compiled against
//   LINE.tests    with -Dhbase.line=LINE: what this project's tests need, of that line
// What is there already, and newer than these files, is kept.
import org.eclipse.aether.DefaultRepositorySystemSession
import org.eclipse.aether.RepositorySystem
import org.eclipse.aether.artifact.DefaultArtifact
import org.eclipse.aether.collection.CollectRequest
import org.eclipse.aether.graph.Dependency
import org.eclipse.aether.graph.Exclusion
import org.eclipse.aether.resolution.ArtifactRequest
import org.eclipse.aether.resolution.DependencyRequest

def home = new File(project.basedir, 'src/test/lines')
def into = new File(project.build.directory, 'lines')
def age = ['lines.properties', 'resolve.groovy'].collect { new File(home, it).lastModified() }.max()
def system = session.container.lookup(RepositorySystem)
// Old poms name repositories that are long gone.
def maven = new DefaultRepositorySystemSession(session.repositorySession)
    .setIgnoreArtifactDescriptorRepositories(true)
def repositories = project.remoteProjectRepositories

def one = { String coordinates ->
  def request = new ArtifactRequest(new DefaultArtifact(coordinates), repositories, null)
  [system.resolveArtifact(maven, request).artifact.file]
}
def all = { String coordinates ->
  def root = new Dependency(new DefaultArtifact(coordinates), 'runtime')
  def request = new DependencyRequest(new CollectRequest(root, repositories), null)
  system.resolveDependencies(maven, request).artifactResults*.artifact*.file
}
def keep = { String name, Closure<List<File>> jars ->
  def list = new File(into, name)
  if (list.lastModified() < age || !list.readLines().every { new File(it).exists() }) {
    list.text = jars()*.path.join('\n') + '\n'
  }
  list
}

def lines = new Properties()
new File(home, 'lines.properties').withInputStream { lines.load(it) }
into.mkdirs()
lines.each { line, extent ->
  def server = "org.apache.hbase:hbase-server:$line"
  def jars = keep("${line}.jars") { extent == 'whole' ? all(server) : one(server) }
  if (extent == 'whole') {
    def hdfs = jars.readLines().findResult {
      def jar = it =~ /\/hadoop-hdfs-(\d[^\/]*)\.jar$/
      jar.find() ? jar.group(1) : null
    }
    keep("${line}.webapps") { one("org.apache.hadoop:hadoop-hdfs:jar:tests:$hdfs") }
  }
}
// HBase 3.0.0's own web server, whose module is not in the repository.
keep('jetty-12.jars') { one('org.apache.hbase.thirdparty:hbase-shaded-jetty-12-plus-ee8:4.1.12') }
def built = project.properties['hbase.version']
assert lines.containsKey(built): "hbase.version $built is not in lines.properties"
new File(into, 'built').text = "$built\n"

// -Dhbase.line: the project's own dependencies, with that line's versions of HBase and Hadoop.
def chosen = session.userProperties['hbase.line']
if (chosen) {
  def line = lines.stringPropertyNames().sort().find { it == chosen || it.startsWith("$chosen-") }
  assert line && lines[line] == 'whole': "hbase.line $chosen is not whole in lines.properties"
  def hadoop = new File(into, "${line}.webapps").text.replaceAll(/(?s).*\/hadoop-hdfs\/([^\/]+)\/.*/, '$1')
  def versions = [
    // hbase-annotations' test jar was published for few lines; it holds names of test categories.
    'org.apache.hbase': { it.artifactId == 'hbase-annotations' ? it.version : line },
    'org.apache.hadoop': { hadoop }
  ]
  def types = session.repositorySession.artifactTypeRegistry
  def jars = keep("${line}.tests") {
    def wanted = project.dependencies.collect { each ->
      def version = versions.getOrDefault(each.groupId, { it.version })(each)
      def type = types.get(each.type)
      def artifact =
          new DefaultArtifact(each.groupId, each.artifactId, type?.classifier, 'jar', version, type)
      def without = each.exclusions.collect { new Exclusion(it.groupId, it.artifactId, '*', '*') }
      new Dependency(artifact, 'compile', false, without)
    }
    def collect = new CollectRequest(wanted, [], repositories)
    def request = new DependencyRequest(collect, null)
    system.resolveDependencies(maven, request).artifactResults*.artifact*.file
  }
  project.properties['line.version'] = line
  project.properties['line.classpath'] = jars.readLines().join(',')
  new File(project.build.directory, "line-$line").deleteDir()
}
